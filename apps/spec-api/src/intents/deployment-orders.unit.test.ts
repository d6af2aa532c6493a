import { beforeEach, describe, expect, test } from '@jest/globals';
import { type NewEvent, stream } from '@davit/contracts';
import { externalKeyOf } from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, systemClock } from '@davit/ports';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { IntentHandler } from './intent-handler.js';

const HTTP = { channel: 'http' } as const;
const KEY = 'default/qwen3-8b';
const NAMED = { name: 'qwen3-8b' };

let log: EventLog;
let handler: IntentHandler;
beforeEach(() => {
  ({ log } = createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }));
  const ports = { log, model: foldedModel(log), clock: systemClock, ids: sequentialIds(2), random: seededRandom(1) };
  handler = new IntentHandler(ports, 'spec-api');
});

const write = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
  log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'x' });
const activate = (revision: number) =>
  write(stream.deployment(KEY), { type: 'davit.deployment.revision-activated', data: { revision, previous: null } });
const last = async () => (await log.read(0, 1_000)).at(-1);

describe('a rollout that is cancelled', () => {
  const other = { model: { id: 'Qwen/Qwen3-4B' } };

  test('goes back to what serves, in the same append as the answer', async () => {
    await handler.apply(manifest(), HTTP);
    await activate(1);
    await handler.apply(manifest(other), HTTP);
    const answer = await handler.cancel(NAMED, HTTP);
    expect(answer).toMatchObject({ outcome: 'accepted', changed: true, revision: 1, generation: 3 });
    expect(await last()).toMatchObject({
      type: 'davit.deployment.declared',
      correlationid: answer.intentId,
      data: { revision: 1, spec: { spec: { model: { id: 'Qwen/Qwen3-8B' } } } },
    });
    expect(await handler.cancel(NAMED, HTTP)).toMatchObject({ outcome: 'rejected', code: 'nothing-under-way' });
  });

  test.each([
    ['there is no such deployment', [], 'not-found'],
    ['nothing was ever active', ['apply'], 'never-active'],
    ['it is active already', ['apply', 'activate'], 'nothing-under-way'],
    ['it is being deleted', ['apply', 'activate', 'delete'], 'being-deleted'],
  ] as const)('is refused with the remedy when %s', async (_what, steps, code) => {
    const take = {
      apply: () => handler.apply(manifest(), HTTP),
      activate: () => activate(1),
      delete: () => handler.delete(NAMED, HTTP),
    };
    for (const step of steps) await take[step]();
    const answer = await handler.cancel(NAMED, HTTP);
    const problem = {
      message: expect.stringContaining(`default/${NAMED.name}`),
      remedy: expect.stringMatching(/.{20}/),
    };
    expect(answer).toMatchObject({ outcome: 'rejected', code, problems: [problem] });
  });
});

describe('a retry', () => {
  const identity = { deployment: KEY, revision: 1, ordinal: 0, incarnation: 1 };
  const replicaId = `${KEY}-1-0-1`;
  const failStart = () =>
    write(
      stream.replica(replicaId),
      {
        type: 'davit.replica.requested',
        data: {
          replicaId,
          ...identity,
          externalKey: externalKeyOf(identity, 'test'),
          mode: 'elastic',
          adapter: 'skypilot',
          servedName: 'qwen3-8b',
          reason: '',
          replaces: null,
        },
      },
      {
        type: 'davit.replica.failed',
        data: {
          replicaId,
          class: 'config',
          reason: 'bootstrap',
          detail: 'no such image',
          placement: null,
          hadServed: false,
        },
      },
    );

  test('of starts that failed is written, on what the replicas told', async () => {
    await handler.apply(manifest(), HTTP);
    await failStart();
    const answer = await handler.retry(NAMED, HTTP);
    expect(answer).toMatchObject({ outcome: 'accepted', changed: true });
    expect(await last()).toMatchObject({
      type: 'davit.deployment.retry-requested',
      data: { intentId: answer.intentId },
    });
    expect(await handler.retry(NAMED, HTTP)).toMatchObject({ outcome: 'rejected', code: 'nothing-to-retry' });
  });

  test('of what did not fail is refused', async () => {
    await handler.apply(manifest(), HTTP);
    expect(await handler.retry(NAMED, HTTP)).toMatchObject({ outcome: 'rejected', code: 'nothing-to-retry' });
    expect(await handler.retry({ name: 'nobody' }, HTTP)).toMatchObject({ code: 'not-found' });
  });
});
