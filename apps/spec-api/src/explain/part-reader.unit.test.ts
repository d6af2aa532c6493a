import { expect, test } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { sequentialIds, systemClock } from '@davit/ports';
import { answerOf } from './answer.js';
import { type Part, cutTo, readIntents, readPart } from './part-reader.js';

const ALARMS = 'fleet/alarms';
const about = (name: string) => ({
  type: 'davit.fleet.alarm-raised' as const,
  data: { alarm: 'a', severity: 'warning' as const, about: name, detail: '' },
});
const isAbout =
  (name: string) =>
  ({ data }: RecordedEvent): boolean =>
    'about' in data && data.about === name;

/** So many alarms about other things, one at least, and then one about this. */
async function logOf(others: number): Promise<EventLog> {
  const { log } = createMemoryLog({ clock: systemClock, ids: sequentialIds() });
  const more = Array.from({ length: others - 1 }, () => about('another'));
  await log.append([{ stream: ALARMS, expectedVersion: 'any', events: [about('another'), ...more, about('this')] }], {
    tenant: 'default',
    service: 'orchestrator',
  });
  return log;
}

test('what is rare in a long stream that many write to is found', async () => {
  const part = await readPart(await logOf(21_000), ALARMS, { keep: isAbout('this') });
  expect(part.events.map(({ version }) => version)).toEqual([21_001]);
  expect(part.unread).toEqual([]);
});

test('a stream that is too long to be told says so, and up to where it was read; no story that rests on it is complete', async () => {
  const part = await readPart(await logOf(20_500), ALARMS);
  expect(part.events).toHaveLength(20_000);
  expect(part.unread).toEqual([`Of ${ALARMS} no more than 20000 events were read, up to version 20000.`]);
  const told = (past: Part) =>
    answerOf(
      { model: { position: () => Promise.resolve(20_501) } },
      { about: { kind: 'alarm', name: 'a' }, now: 'up', past, broken: [] },
      { after: 0, limit: 1 },
    );
  expect(await told(part)).toMatchObject({ complete: false, gaps: part.unread });
  const abridged = cutTo([], ['a'], 'lives');
  expect(await told(abridged)).toMatchObject({ complete: true, gaps: abridged.cut });
});

test('a stream that is just as long as may be told is whole', async () => {
  expect((await readPart(await logOf(19_999), ALARMS)).unread).toEqual([]);
});

test('what rests on more intents than one answer tells says how many it left out', async () => {
  const asked = new Set<string>();
  const log: Pick<EventLog, 'readStream'> = {
    readStream: (name) => Promise.resolve(void asked.add(name)).then(() => []),
  };
  const [alarm] = await (await logOf(1)).readStream(ALARMS);
  if (!alarm) throw new Error('alarms were raised');
  const wishes = Array.from(
    { length: 2_001 },
    (_, turn) => ({ ...alarm, data: { ...alarm.data, intentId: `i${turn}` } }) as RecordedEvent,
  );
  const part = await readIntents(log, wishes);
  expect(asked.size).toBe(2_000);
  expect(asked.has('intent/i0')).toBe(false);
  expect(part.cut).toEqual(['Only the latest 2000 of 2001 intents are told.']);
});
