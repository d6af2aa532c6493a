import { type EventData, type NewEvent, stream } from '@davit/contracts';
import { orphanKeyOf } from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { IntentHandler } from '../intents/intent-handler.js';
import { foldedModel } from './folded-model.js';
import { manifest } from './manifest.js';
import { placement, rented } from './rented.js';
import { WAITING, candidate, untilItWaits } from './waiting-rollout.js';

const MINUTE_MS = 60_000;
const { rollout: rolloutId, template: to, bounds, evidenceDigest } = WAITING;
const from = { templateId: 6, templateHash: 'c'.repeat(32) };
const ADA = { channel: 'http', actor: 'ada' } as const;

/** What the history of {@link toldLog} is about. */
export const TOLD = {
  serving: 'default/small-1-0-1',
  waiting: 'default/small-1-1-1',
  rollout: rolloutId,
  /** Another machine under the name of the replica that serves, what is left of the canary, and what nobody ever asked for. */
  duplicate: orphanKeyOf('skypilot', 'dv-aaaaa-small', 'm2'),
  canary: orphanKeyOf('vast-serverless', 'dv-canary-1', 'e9'),
  nobodys: orphanKeyOf('skypilot', 'dv-zzzzz-stray', 'm9'),
} as const;

type Evidence = EventData<'davit.replica.placed'>['evidence'];
const judged = { placement, source: 'runpod-v2', scope: 'global', ageMs: 2_000, confidence: 0.9, price: null } as const;
const heard = { ...judged, observedAt: '2026-01-01T00:00:00.000Z' };
const PLACED: Evidence = [
  { ...heard, rung: 0, state: 'available', verdict: 'chosen', reason: 'the first with stock' },
  { ...heard, rung: 1, state: 'unavailable', verdict: 'rejected', reason: 'no stock' },
];

/** A log in which something happened, a minute apart, to everything that there is a story of; and the clock at its end. */
export async function toldLog(): Promise<{ readonly log: EventLog; readonly clock: VirtualClock }> {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const { log } = createMemoryLog({ clock, ids: sequentialIds(1) });
  const ports = { log, model: foldedModel(log), clock, ids: sequentialIds(2), random: seededRandom(1) };
  const handler = new IntentHandler(ports, 'spec-api');
  const accepted = async (answer: Promise<{ readonly outcome: string }>): Promise<void> => {
    const given = await answer;
    if (given.outcome !== 'accepted') throw new Error(JSON.stringify(given));
    await clock.advance(MINUTE_MS);
  };
  const write = async (name: string, ...events: readonly NewEvent[]): Promise<void> => {
    for (const event of events) {
      await log.append([{ stream: name, expectedVersion: 'any', events: [event] }], {
        tenant: 'default',
        service: 'x',
      });
      await clock.advance(MINUTE_MS);
    }
  };
  const declared = { budget: { maxHourly: '3' }, scaling: { replicas: 2 } };
  await accepted(handler.apply(manifest(declared, { name: 'small' }), ADA));
  await accepted(handler.setBudget({ budget: { maxTotal: '100', onExceed: 'drain' } }, ADA));
  await rented(log, { name: 'small', hourly: '1.00', evidence: PLACED });
  await serves(write);
  await waits(write);
  await accepted(handler.apply(candidate('c'.repeat(32)), ADA));
  await accepted(handler.apply(candidate('b'.repeat(32)), ADA));
  await write(stream.rollout(rolloutId), ...withCanary(untilItWaits()));
  await accepted(handler.rollout('approve', { rollout: rolloutId, evidenceDigest, reason: 'looked at it' }, ADA));
  await write(stream.rollout(rolloutId), ...judgedAndTakenBack(2));
  await write(stream.fleetAlarms, ...ALARMS);
  await write(stream.resource(TOLD.duplicate), orphan('skypilot', 'dv-aaaaa-small', 'm2', TOLD.serving));
  await write(stream.endpoint(TOLD.canary), orphan('vast-serverless', 'dv-canary-1', 'e9', null));
  await write(stream.resource(TOLD.nobodys), orphan('skypilot', 'dv-zzzzz-stray', 'm9', null));
  await accepted(handler.reap({ orphan: TOLD.nobodys, reason: 'left by a test' }, ADA));
  return { log, clock };
}

type Writer = (name: string, ...events: readonly NewEvent[]) => Promise<void>;

async function serves(write: Writer): Promise<void> {
  const replicaId = TOLD.serving;
  const deployment = 'default/small';
  const url = 'http://10.0.0.1:8000/';
  const evidence = { healthMs: 1, modelsMs: 2, inferenceMs: 3 };
  const target = { replica: replicaId, deployment, revision: 1, url, model: 'small' };
  await write(stream.runtime(replicaId), {
    type: 'davit.runtime.became-ready',
    data: { replicaId, url, servedModel: 'small', evidence },
  });
  await write(stream.replica(replicaId), {
    type: 'davit.replica.ready',
    data: { replicaId, url, servedModel: 'small' },
  });
  await write(stream.route(deployment), {
    type: 'davit.route.registered',
    data: { alias: deployment, snapshot: 1, target },
  });
}

async function waits(write: Writer): Promise<void> {
  const replicaId = TOLD.waiting;
  const asked = { deployment: 'default/small', revision: 1, ordinal: 1, incarnation: 1, externalKey: 'dv-bbbbb-small' };
  const made = { mode: 'elastic', adapter: 'skypilot', servedName: 'small', reason: 'wanted', replaces: null } as const;
  const evidence: Evidence = [
    { ...heard, rung: 0, state: 'available', verdict: 'rejected', reason: 'the budget has room for 2.00 USD an hour' },
  ];
  const wait = { reason: 'no room in the budget', waitsFor: 'budget', retryAt: '2026-01-01T01:00:00.000Z' } as const;
  await write(
    stream.replica(replicaId),
    { type: 'davit.replica.requested', data: { replicaId, ...asked, ...made } },
    { type: 'davit.replica.deferred', data: { replicaId, ...wait, evidence } },
  );
}

const withCanary = ([started, recorded, ...rest]: readonly NewEvent[]): readonly NewEvent[] => {
  const asked = { rolloutId, externalKey: 'dv-canary-1', template: to, bounds };
  const canary: NewEvent = {
    type: 'davit.rollout.canary-requested',
    data: { ...asked, maxSpend: { amount: '2', currency: 'USD' } },
  };
  return [...(started ? [started] : []), ...(recorded ? [recorded] : []), canary, ...rest];
};

/** What is approved is changed, judged to be worse, and taken back, which nothing proves. */
function judgedAndTakenBack(attempts: number): readonly NewEvent[] {
  const change = { rolloutId, workergroupId: 1, attempt: 1, from, to, bounds, leaseEpoch: 1 };
  const approval = { by: 'operator', eventId: '00000000-0000-7000-8000-00000000aaaa', evidenceDigest } as const;
  const why = { reason: 'verdict-reject', detail: 'latency p95 is proven worse' } as const;
  return [
    { type: 'davit.rollout.update-attempted', data: { ...change, approval } },
    {
      type: 'davit.rollout.verdict-reached',
      data: {
        ...{ rolloutId, verdict: 'reject', alpha: 0.01, beta: 0.02, bundleDigest: evidenceDigest },
        reasons: [{ rule: 'latency-p95', outcome: 'broken', detail: '3 s above the 2 s', figures: { p95: 3_000 } }],
        samples: { baseline: 500, candidate: 500 },
        rejectedAlternatives: [
          { verdict: 'accept', because: 'latency-p95 is broken' },
          { verdict: 'wait', because: 'there are samples enough' },
        ],
      },
    },
    ...Array.from({ length: attempts }, (_, index): NewEvent => ({
      type: 'davit.rollout.rollback-attempted',
      data: { rolloutId, ...why, attempt: index + 1, workergroupId: 1, to: from, leaseEpoch: 1 },
    })),
  ];
}

const raised = (alarm: string, about: string, detail: string): NewEvent => ({
  type: 'davit.fleet.alarm-raised',
  data: { alarm, severity: 'warning', about, detail },
});
const ALARMS: readonly NewEvent[] = [
  raised('waiting-long', TOLD.waiting, 'waits for: budget'),
  raised('failed-starts', 'default/small', '3 starts in a row failed'),
  raised('rollback-stuck', rolloutId, 'asked for 3 times'),
  raised('budget-near', 'default', '95 of 100 USD are spent'),
  { type: 'davit.fleet.alarm-cleared', data: { alarm: 'budget-near', about: 'default', detail: 'there is room' } },
  raised('orphan', TOLD.duplicate, 'its owner has another thing of this name'),
];

function orphan(adapter: 'skypilot' | 'vast-serverless', externalKey: string, providerId: string, of: string | null) {
  const seen = { providerId, phase: 'up', price: null, quarantinedUntil: '2026-01-02T00:00:00.000Z' } as const;
  const nobodys = adapter === 'skypilot' ? 'no-owner' : 'canary-left';
  const reason = of === null ? nobodys : 'duplicate';
  const data = { externalKey, replicaId: of, adapter, ...seen, reason, policy: 'approve', detail: 'listed' } as const;
  const category = adapter === 'skypilot' ? 'resource' : 'endpoint';
  return { type: `davit.${category}.orphan-found`, data } as NewEvent; // both categories have the same data
}
