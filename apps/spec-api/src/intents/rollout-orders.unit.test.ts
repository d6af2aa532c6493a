import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NewEvent, stream } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, systemClock } from '@davit/ports';
import { foldedModel } from '../testing/folded-model.js';
import { WAITING, untilItWaits } from '../testing/waiting-rollout.js';
import { IntentHandler } from './intent-handler.js';

const HTTP = { channel: 'http' } as const;
const { rollout, evidenceDigest } = WAITING;
const said = { rollout, evidenceDigest, reason: 'looked at it', actor: 'ada' };

describe('the word on a rollout', () => {
  let log: EventLog;
  let handler: IntentHandler;
  const append = (events: readonly NewEvent[]) => {
    const [first, ...rest] = events;
    if (!first) throw new Error('nothing to write');
    const write = { stream: stream.rollout(rollout), expectedVersion: 'any', events: [first, ...rest] } as const;
    return log.append([write], { tenant: 'default', service: 'vast-serverless' });
  };
  const words = async () =>
    (await log.read(0, 1_000)).filter(({ type }) => type.startsWith('davit.deployment.rollout-'));
  beforeEach(async () => {
    ({ log } = createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }));
    const ports = { log, model: foldedModel(log), clock: systemClock, ids: sequentialIds(2), random: seededRandom(1) };
    handler = new IntentHandler(ports, 'spec-api');
    await append(untilItWaits());
  });

  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
    ['abort', 'aborted'],
  ] as const)('%s is written on the stream of the deployment, once, with who said it and why', async (verb, past) => {
    expect(await handler.rollout(verb, said, HTTP)).toMatchObject({
      outcome: 'accepted',
      about: rollout,
      changed: true,
    });
    expect(await handler.rollout(verb, said, HTTP)).toMatchObject({ outcome: 'accepted', changed: false });
    const data = { rolloutId: rollout, evidenceDigest, actor: 'ada', reason: 'looked at it' };
    expect(await words()).toEqual([
      expect.objectContaining({
        type: `davit.deployment.rollout-${past}`,
        stream: 'deployment/default/qwen',
        data: expect.objectContaining(data),
      }),
    ]);
  });

  it('is refused when it names other evidence than what waits, and writes nothing', async () => {
    const other = { ...said, evidenceDigest: 'f'.repeat(64) };
    expect(await handler.rollout('approve', other, HTTP)).toMatchObject({
      outcome: 'rejected',
      code: 'other-evidence',
    });
    expect(await words()).toEqual([]);
  });

  it('stops a rollout that waits for nothing only where no evidence is named', async () => {
    await append([
      { type: 'davit.rollout.withdrawn', data: { rolloutId: rollout, reason: 'superseded', detail: 'x' } },
    ]);
    expect(await handler.rollout('approve', said, HTTP)).toMatchObject({ outcome: 'rejected', code: 'not-waiting' });
    const abort = { rollout, reason: 'stop' };
    expect(await handler.rollout('abort', abort, HTTP)).toMatchObject({ outcome: 'accepted', changed: true });
  });

  it('is refused for a rollout that does not exist, and is a mistake without a reason', async () => {
    const unknown = { ...said, rollout: 'default/qwen-9-1' };
    expect(await handler.rollout('approve', unknown, HTTP)).toMatchObject({ outcome: 'rejected', code: 'not-found' });
    expect(await handler.rollout('approve', { ...said, reason: ' ' }, HTTP)).toMatchObject({ code: 'invalid-intent' });
  });
});
