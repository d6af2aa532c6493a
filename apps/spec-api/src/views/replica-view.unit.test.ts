import { describe, expect, test } from '@jest/globals';
import { replicaView as replicaViewSchema } from '@davit/contracts';
import { type OfferState, type ReplicaState, offerKeyOf } from '@davit/domain';
import { replicaView } from './replica-view.js';

const AT = '2026-09-01T16:00:00.000Z';
const LATER = '2026-09-01T16:25:00.000Z';
/** When an answer that does not come, and a deletion that does not end, become an alarm. */
const SOON = '2026-09-01T16:05:00.000Z';
const ALARM = '2026-09-01T16:15:00.000Z';

const replica = (change: Partial<ReplicaState> = {}): ReplicaState => ({
  id: 'default/qwen3-8b-1-0-1',
  tenant: 'default',
  deployment: 'default/qwen3-8b',
  revision: 1,
  ordinal: 0,
  incarnation: 1,
  externalKey: 'dv-abcdefghijklmnopqrst',
  mode: 'elastic',
  adapter: 'skypilot',
  servedName: 'qwen3-8b',
  correlationId: null,
  status: 'requested',
  since: AT,
  reason: 'asked for',
  everReady: false,
  readyAt: null,
  progress: null,
  meter: null,
  retryAt: null,
  waitsSince: null,
  discovery: { attempt: 1, outcome: 'pending', at: null, detail: '' },
  assessments: {},
  placement: null,
  rung: null,
  price: null,
  launch: null,
  resource: null,
  absence: { observedAt: [], confirmedAt: null, released: false },
  runtime: null,
  load: null,
  route: { registered: false, aliases: [], changedAt: null, snapshot: null },
  drain: null,
  failure: null,
  deletion: null,
  versions: { replica: 1, resource: 0, runtime: 0 },
  ...change,
});

const launch = {
  attempt: 1,
  since: AT,
  requestedAt: AT,
  deadlineAt: LATER,
  handle: null,
  class: null,
  detail: '',
} as const;
const deletion = { attempt: 1, since: AT, class: null, detail: '' } as const;
const runtime = { url: 'http://h:8000', servedModel: null, reason: null, since: AT } as const;
const routed = { registered: true, aliases: ['default/qwen'], changedAt: AT, snapshot: 1 };

describe('what a replica does, why, and until when it waits', () => {
  test.each<[string, Partial<ReplicaState>, string, string, string | null]>([
    ['being looked for', {}, 'requested', 'asked for', SOON],
    ['waiting for stock', { status: 'deferred', reason: 'no stock', retryAt: LATER }, 'waiting', 'no stock', LATER],
    [
      'looked for again while it waits for stock',
      {
        waitsSince: '2026-09-01T15:00:00.000Z',
        since: AT,
        discovery: { attempt: 2, outcome: 'pending', at: null, detail: '' },
      },
      'waiting',
      'asked for',
      SOON,
    ],
    [
      'draining behind a route that still stands',
      { status: 'draining', reason: 'scaled down', route: routed, drain: { deadlineAt: LATER, reason: 'scaled down' } },
      'draining',
      'scaled down; its route is to be withdrawn first',
      LATER,
    ],
    [
      'deleting at a provider that cannot be asked',
      {
        status: 'deleting',
        reason: 'scaled down',
        deletion: { ...deletion, outcome: 'accepted' },
        resource: {
          phase: 'unknown',
          url: null,
          providerId: null,
          class: null,
          detail: 'not seen since 16:00',
          at: AT,
        },
      },
      'deleting',
      'scaled down; the provider cannot be asked, so it counts as running; not seen since 16:00',
      ALARM,
    ],
    [
      'launching',
      { status: 'launching', launch: { ...launch, outcome: 'accepted' } },
      'launching',
      'the provider works on it',
      LATER,
    ],
    [
      'launching with a lost reply',
      { status: 'launching', launch: { ...launch, outcome: 'unknown', detail: 'timed out' } },
      'launching',
      'whether the launch was taken is not known; looking it up; timed out',
      LATER,
    ],
    [
      'loading its model',
      {
        status: 'launching',
        launch: { ...launch, outcome: 'accepted' },
        resource: { phase: 'up', url: null, providerId: null, class: null, detail: '', at: AT },
        runtime: { ...runtime, status: 'probing', detail: 'shard 3 of 4' },
      },
      'loading',
      'the machine is up; waiting for the model; shard 3 of 4',
      LATER,
    ],
    ['serving', { status: 'ready', route: routed }, 'serving', '', null],
    ['proven but not routed', { status: 'ready' }, 'ready', 'proven; waiting for its route', SOON],
    [
      'ill',
      { status: 'ready', route: routed, runtime: { ...runtime, status: 'unready', detail: 'hung' } },
      'serving',
      'does not answer as it should; hung',
      SOON,
    ],
    [
      'draining',
      { status: 'draining', reason: 'scaled down', drain: { deadlineAt: LATER, reason: 'scaled down' } },
      'draining',
      'scaled down; requests in work may finish',
      LATER,
    ],
    [
      'deleted but not proven gone',
      { status: 'deleting', reason: 'engine hung', deletion: { ...deletion, outcome: 'accepted' } },
      'deleting',
      'engine hung; deletion taken; waiting for proof that it is gone',
      ALARM,
    ],
    [
      'seen absent once',
      { status: 'deleting', reason: 'engine hung', absence: { observedAt: [AT], confirmedAt: null, released: false } },
      'deleting',
      'engine hung; absence seen once; a second look follows',
      ALARM,
    ],
  ])('%s', (_what, change, state, why, waitsUntil) => {
    const view = replicaView({ kind: 'replica', key: 'k', document: replica(change), position: 7 });
    expect(view).toMatchObject({ state, why, waitsUntil, position: 7 });
    expect(replicaViewSchema.parse(view)).toEqual(view);
  });

  test('a start that is stuck says where, and what a person can do', () => {
    const diagnosis = {
      boundary: 'image-pull',
      class: 'config',
      detail: 'manifest unknown',
      remedy: 'Write an image that exists.',
      since: AT,
    } as const;
    const resource = { phase: 'provisioning', url: null, providerId: null, class: null, detail: 'x', at: AT } as const;
    const stuck = replica({
      status: 'launching',
      launch: { ...launch, outcome: 'accepted' },
      resource: { ...resource, diagnosis },
    });
    const view = replicaView({ kind: 'replica', key: 'k', document: stuck, position: 7 });
    expect(view.diagnosis).toEqual(diagnosis);
    expect(view.why).toBe('stuck (image-pull): manifest unknown; Write an image that exists.');
    expect(view.wait).toMatchObject({ reason: 'starting', deadline: LATER });
  });

  test('a replica that is held back by the freeze says so, and that only a person or its answer ends it', () => {
    const ill = replica({
      status: 'ready',
      everReady: true,
      route: routed,
      runtime: { ...runtime, status: 'unready', detail: 'refused' },
    });
    const frozen = { since: AT, detail: '5 of 6 at once' };
    const fleet = {
      tenant: 'default',
      serving: 6,
      losses: [],
      frozen,
      thawOrdered: null,
      believedBefore: null,
      version: 1,
    };
    const view = replicaView({ kind: 'replica', key: 'k', document: ill, position: 7 }, { fleet });
    expect(view).toMatchObject({ wait: { reason: 'fleet-frozen', deadline: null }, waitsUntil: null });
    expect(view.why).toContain('the fleet is frozen: nothing is given up on observation alone: 5 of 6 at once');
  });

  test('a start is expected to take as long as half of those on its offer that served', () => {
    const placement = {
      ...{ cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 1 }, spot: false, maxHourlyPrice: null },
    };
    const said = { at: AT, said: 'available', source: 'runpod-v2' } as const;
    const served = (seconds: number) => ({
      ...({
        ...said,
        replicaId: `r${seconds}`,
        outcome: 'served',
        class: null,
        detail: '',
        position: seconds,
      } as const),
      endedAt: new Date(Date.parse(AT) + seconds * 1_000).toISOString(),
    });
    const starting = replica({ status: 'launching', placement, launch: { ...launch, outcome: 'accepted' } });
    const offer = (tries: OfferState['tries']): OfferState => ({
      ...{ key: offerKeyOf(placement), offer: placement, losses: [] },
      ...{ open: { [starting.id]: said }, tries },
    });
    const expected = (tries: OfferState['tries']): string | null => {
      const offers = new Map([[offerKeyOf(placement), offer(tries)]]);
      return replicaView({ kind: 'replica', key: 'k', document: starting, position: 7 }, { offers }).expectedReadyAt;
    };
    expect(expected([served(60), served(90), served(600)])).toBe('2026-09-01T16:01:30.000Z');
    expect(expected([])).toBeNull();
  });
});
