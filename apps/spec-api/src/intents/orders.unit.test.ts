import { beforeEach, describe, expect, test } from '@jest/globals';
import { type EventData, type NewEvent, stream } from '@davit/contracts';
import { orphanKeyOf } from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, systemClock } from '@davit/ports';
import type { ReadModel } from '@davit/projection';
import { foldedModel } from '../testing/folded-model.js';
import { IntentHandler } from './intent-handler.js';

const HTTP = { channel: 'http' } as const;
const reason = 'the zone is really gone';

let log: EventLog;
let handler: IntentHandler;
beforeEach(() => {
  ({ log } = createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }));
  handler = handlerWith(foldedModel(log));
});

const handlerWith = (model: Pick<ReadModel, 'get'>): IntentHandler =>
  new IntentHandler({ log, model, clock: systemClock, ids: sequentialIds(2), random: seededRandom(1) }, 'spec-api');

async function write(name: string, event: NewEvent): Promise<void> {
  await log.append([{ stream: name, expectedVersion: 'any', events: [event] }], { tenant: 'default', service: 'x' });
}
const written = async (type: string): Promise<readonly unknown[]> =>
  (await log.read(0, 1_000)).filter((event) => event.type === type).map(({ data }) => data);

const freeze = (): Promise<void> =>
  write(stream.fleetLosses, {
    type: 'davit.fleet.frozen',
    data: { lost: 3, suspects: 2, serving: 6, intervalMs: 60_000, replicas: [], detail: 'half of the fleet at once' },
  });

describe('an order to thaw', () => {
  test('of a frozen fleet is written with its reason, once', async () => {
    await freeze();
    const answer = await handler.thaw({ reason }, HTTP);
    expect(answer).toMatchObject({ outcome: 'accepted', about: 'fleet', changed: true });
    expect(await handler.thaw({ reason: 'again' }, HTTP)).toMatchObject({ outcome: 'accepted', changed: false });
    expect(await written('davit.fleet.thaw-ordered')).toEqual([{ intentId: answer.intentId, reason }]);
  });

  test('of a fleet that is not frozen is refused, and says where to look', async () => {
    expect(await handler.thaw({ reason }, HTTP)).toMatchObject({
      outcome: 'rejected',
      code: 'not-frozen',
      problems: [{ remedy: expect.stringContaining('davit fleet') }],
    });
    expect(await written('davit.fleet.thaw-ordered')).toEqual([]);
  });

  test('counts a freeze that the projection has not seen yet', async () => {
    await freeze();
    const blind = handlerWith({ get: () => Promise.resolve(undefined) });
    expect(await blind.thaw({ reason }, HTTP)).toMatchObject({ outcome: 'accepted', changed: true });
  });

  test('without a reason is a mistake', async () => {
    await freeze();
    for (const body of [{}, { reason: '  ' }, { reason: 7 }, { reason: 'a\0b' }])
      expect(await handler.thaw(body, HTTP)).toMatchObject({ code: 'invalid-intent', problems: [{ path: 'reason' }] });
  });

  test('with the same key gives the same answer', async () => {
    await freeze();
    const keyed = { ...HTTP, idempotencyKey: 'k' };
    const first = await handler.thaw({ reason }, keyed);
    await write(stream.fleetLosses, { type: 'davit.fleet.thawed', data: { why: 'overridden', detail: '' } });
    expect(await handler.thaw({ reason }, keyed)).toEqual(first);
    expect(await handler.thaw({ reason: 'other' }, keyed)).toMatchObject({ code: 'idempotency-conflict' });
  });
});

describe('an approval to reap an orphan', () => {
  const externalKey = 'dv-abcde-abcdefghijklmnopq';
  const orphan = orphanKeyOf('skypilot', externalKey, 'pod-7');
  const owner = { externalKey, replicaId: null, adapter: 'skypilot' };
  const find = (policy: EventData<'davit.resource.orphan-found'>['policy']): Promise<void> =>
    write(stream.resource(orphan), {
      type: 'davit.resource.orphan-found',
      data: {
        ...owner,
        reason: 'no-owner',
        providerId: 'pod-7',
        phase: 'up',
        price: null,
        quarantinedUntil: '2026-01-01T00:00:00.000Z',
        policy,
        detail: '',
      },
    });

  test('is written with its reason, once', async () => {
    await find('approve');
    const answer = await handler.reap({ orphan, reason }, HTTP);
    expect(answer).toMatchObject({ outcome: 'accepted', about: orphan, changed: true });
    expect(await handler.reap({ orphan, reason }, HTTP)).toMatchObject({ outcome: 'accepted', changed: false });
    expect(await written('davit.fleet.reap-approved')).toEqual([{ intentId: answer.intentId, orphan, reason }]);
  });

  test.each<[string, Parameters<typeof find>[0] | undefined, NewEvent | undefined, string, string]>([
    ['that nobody found', undefined, undefined, 'not-found', 'davit orphans'],
    ['under a policy that only reports', 'report', undefined, 'policy-report', 'by hand'],
    [
      'whose owner turned up',
      'approve',
      { type: 'davit.resource.orphan-cleared', data: { ...owner, reason: 'owner-found', detail: '' } },
      'already-gone',
      'Nothing is left',
    ],
    [
      'that is proven gone',
      'auto',
      {
        type: 'davit.resource.absence-confirmed',
        data: { ...owner, observedAt: ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'], inventoryRows: 0 },
      },
      'already-gone',
      'Nothing is left',
    ],
  ])('of one %s is refused, with the remedy', async (_what, policy, later, code, remedy) => {
    if (policy !== undefined) await find(policy);
    if (later !== undefined) await write(stream.resource(orphan), later);
    expect(await handler.reap({ orphan, reason }, HTTP)).toMatchObject({
      outcome: 'rejected',
      code,
      problems: [{ remedy: expect.stringContaining(remedy) }],
    });
    expect(await written('davit.fleet.reap-approved')).toEqual([]);
  });
});
