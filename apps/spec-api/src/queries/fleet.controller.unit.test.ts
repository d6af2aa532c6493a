import { beforeEach, describe, expect, test } from '@jest/globals';
import { type NewEvent, type SentQuery, alarmView, fleetView, operations, orphanView, stream } from '@davit/contracts';
import { orphanKeyOf } from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { sequentialIds, systemClock } from '@davit/ports';
import type { Asking } from '../asking/asking.js';
import { queryOf } from '../operations/reading.js';
import { askedBy } from '../testing/asked-by.js';
import { FleetController } from './fleet.controller.js';

let log: EventLog;
const queries = new FleetController();
let asking: Asking;
beforeEach(() => {
  ({ log } = createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }));
  asking = askedBy(log);
});

const write = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
  log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'x' });

const externalKey = 'dv-abcde-abcdefghijklmnopq';
const owner = { externalKey, replicaId: null, adapter: 'skypilot' };
const keyed = (providerId: string): string => orphanKeyOf('skypilot', externalKey, providerId);

const found = (policy: 'report' | 'approve' | 'auto', providerId: string): NewEvent => ({
  type: 'davit.resource.orphan-found',
  data: {
    ...owner,
    reason: 'no-owner',
    providerId,
    phase: 'up',
    price: null,
    quarantinedUntil: '2026-01-01T00:30:00.000Z',
    policy,
    detail: 'seen in the inventory of runpod',
  },
});

describe('orphans', () => {
  test.each([
    ['report', 'only reported: delete it by hand'],
    ['approve', 'waits for approval: davit orphans reap'],
    ['auto', 'is deleted after 2026-01-01T00:30:00.000Z'],
  ] as const)('under the policy %s say what happens next, and who has to do it', async (policy, next) => {
    await write(stream.resource(keyed('p1')), found(policy, 'p1'));
    const { items } = await queries.orphans(asking, queryOf(operations.listOrphans, {}));
    expect(items).toEqual([orphanView.parse(items[0])]);
    expect(items[0]?.why).toBe(`the log never asked for it; ${next}; seen in the inventory of runpod`);
  });

  test('that are approved say until when they are left alone', async () => {
    await write(stream.resource(keyed('p1')), found('approve', 'p1'));
    const data = { intentId: '00000000-0000-7000-8000-000000000001', orphan: keyed('p1'), reason: 'mine' };
    await write(stream.fleetOrders, { type: 'davit.fleet.reap-approved', data });
    const { items } = await queries.orphans(asking, queryOf(operations.listOrphans, {}));
    expect(items[0]?.approvedAt).not.toBeNull();
    expect(items[0]?.why).toContain('is deleted after 2026-01-01T00:30:00.000Z');
  });

  test('that are dealt with are listed only when all are asked for', async () => {
    await write(stream.resource(keyed('p1')), found('auto', 'p1'), {
      type: 'davit.resource.orphan-cleared',
      data: { ...owner, reason: 'owner-found', detail: '' },
    });
    await write(stream.resource(keyed('p2')), found('auto', 'p2'), {
      type: 'davit.resource.delete-attempted',
      data: { ...owner, attempt: 1, leaseEpoch: 1 },
    });
    const keysOf = async (query: SentQuery) =>
      (await queries.orphans(asking, queryOf(operations.listOrphans, query))).items.map(({ key }) => key);
    expect(await keysOf({})).toEqual([keyed('p2')]);
    expect(await keysOf({ all: 'true' })).toEqual([keyed('p1'), keyed('p2')]);
    expect(await keysOf({ adapter: 'vast-serverless', all: 'true' })).toEqual([]);
    expect(await keysOf({ tenant: 'other', all: 'true' })).toEqual([]);
  });
});

describe('alarms', () => {
  const raised = (alarm: string, severity: 'warning' | 'critical'): NewEvent => ({
    type: 'davit.fleet.alarm-raised',
    data: { alarm, severity, about: 'default/qwen', detail: 'because' },
  });

  test('are listed while they are up, and by name and severity', async () => {
    await write(stream.fleetAlarms, raised('failed-starts', 'critical'), raised('waiting-long', 'warning'), {
      type: 'davit.fleet.alarm-raised',
      data: { alarm: 'blind', severity: 'warning', about: 'skypilot', detail: '' },
    });
    await write(stream.fleetAlarms, {
      type: 'davit.fleet.alarm-cleared',
      data: { alarm: 'blind', about: 'skypilot', detail: 'answers again' },
    });
    const { items } = await queries.alarms(asking, queryOf(operations.listAlarms, {}));
    expect(items).toEqual(items.map((item) => alarmView.parse(item)));
    const namesOf = async (query: SentQuery) =>
      (await queries.alarms(asking, queryOf(operations.listAlarms, query))).items.map(({ alarm }) => alarm);
    expect(await namesOf({})).toEqual(['failed-starts', 'waiting-long']);
    expect(await namesOf({ severity: 'critical' })).toEqual(['failed-starts']);
    expect(await namesOf({ alarm: 'waiting-long' })).toEqual(['waiting-long']);
  });

  test.each([
    ['a severity nobody knows', { severity: 'loud' }, 'Write one of: warning, critical.'],
    [
      'a parameter nobody reads',
      { severty: 'critical' },
      'Did you mean "severity"? Known here: at, limit, after, changedAfter, tenant, about, severity, alarm.',
    ],
  ])('%s is refused, with what would be right', (_what, query, remedy) => {
    expect(() => queryOf(operations.listAlarms, { ...query })).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid-request', errors: [expect.objectContaining({ remedy })] }),
    );
  });
});

describe('the fleet', () => {
  test('of which nothing was heard serves nothing and is not frozen', async () => {
    expect(await queries.fleet(asking, {})).toEqual({
      serving: 0,
      losses: [],
      frozen: null,
      thawOrdered: null,
      position: 0,
    });
  });

  test('tells of its losses, since when and why it is frozen, and of an order to thaw', async () => {
    await write(
      stream.fleetLosses,
      {
        type: 'davit.fleet.replica-lost',
        data: { replicaId: 'default/qwen-1-0-1', deployment: 'default/qwen', reason: 'refused' },
      },
      {
        type: 'davit.fleet.frozen',
        data: { lost: 1, suspects: 4, serving: 6, intervalMs: 60_000, replicas: [], detail: '5 of 6 at once' },
      },
    );
    const intentId = '00000000-0000-7000-8000-000000000001';
    const order = { intentId, reason: 'the zone is gone' };
    await write(stream.fleetOrders, { type: 'davit.fleet.thaw-ordered', data: order });
    const view = await queries.fleet(asking, {});
    expect(fleetView.parse(view)).toEqual(view);
    expect(view).toMatchObject({
      losses: [{ replica: 'default/qwen-1-0-1' }],
      frozen: { detail: '5 of 6 at once' },
      thawOrdered: { reason: 'the zone is gone' },
    });
  });
});
