import type { NewEvent } from '@davit/contracts';
import type { EventLog, StreamWrite } from '@davit/event-log';

const AT = '2026-01-01T00:00:00.000Z';
const placement = {
  cloud: 'runpod',
  region: 'eu-nl-1',
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: '2.5',
};
const price = {
  amount: '0.99',
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source: 'runpod',
  observedAt: AT,
} as const;

/** The events of one replica from request to proven absence, in the order and with the sizes of a real life. */
function lifeOf(ordinal: number): readonly { readonly stream: string; readonly event: NewEvent }[] {
  const deployment = `acme/chat-${ordinal % 50}`;
  const replicaId = `${deployment}-1-${ordinal}-1`;
  const externalKey = `r-${ordinal.toString(36).padStart(8, '0')}`;
  const owner = { externalKey, replicaId, adapter: 'sky' };
  const url = `http://10.0.${ordinal % 250}.7:8000/`;
  const replica = (event: NewEvent) => ({ stream: `replica/${replicaId}`, event });
  const resource = (event: NewEvent) => ({ stream: `resource/${externalKey}`, event });
  const runtime = (event: NewEvent) => ({ stream: `runtime/${replicaId}`, event });
  const observed = (phase: 'provisioning' | 'up') =>
    resource({
      type: 'davit.resource.observed',
      data: {
        ...owner,
        phase,
        url: phase === 'up' ? url : null,
        providerId: `pod-${ordinal}`,
        price,
        class: null,
        detail: 'as listed',
      },
    });
  const evidence = [0, 1, 2].map((rung) => ({
    rung,
    placement,
    state: 'available' as const,
    source: 'runpod',
    scope: 'region',
    observedAt: AT,
    verdict: rung === 0 ? ('chosen' as const) : ('next' as const),
    reason: 'stock is there and the price is within bounds',
  }));
  const load = (running: number) =>
    runtime({
      type: 'davit.runtime.load-summarised',
      data: { replicaId, running, waiting: 0, kvCacheUsage: running / 10 },
    });
  return [
    replica({
      type: 'davit.replica.requested',
      data: {
        replicaId,
        deployment,
        revision: 1,
        ordinal,
        incarnation: 1,
        externalKey,
        mode: 'elastic',
        adapter: 'sky',
        servedName: 'chat',
        reason: 'below the wanted number',
        replaces: null,
      },
    }),
    replica({ type: 'davit.replica.discovery-requested', data: { replicaId, attempt: 1 } }),
    resource({
      type: 'davit.resource.discovered',
      data: { ...owner, attempt: 1, outcome: 'absent', detail: 'no row and no request of this name' },
    }),
    replica({ type: 'davit.replica.placed', data: { replicaId, rung: 0, placement, adopted: false, price, evidence } }),
    replica({ type: 'davit.replica.launch-requested', data: { replicaId, attempt: 1, deadlineAt: AT } }),
    resource({ type: 'davit.resource.launch-attempted', data: { ...owner, attempt: 1, placement, leaseEpoch: 1 } }),
    resource({
      type: 'davit.resource.launch-accepted',
      data: { ...owner, attempt: 1, handle: `request-${ordinal}`, resolvedBy: 'reply' },
    }),
    observed('provisioning'),
    observed('up'),
    runtime({ type: 'davit.runtime.probing-started', data: { replicaId, url, expectedModel: 'chat' } }),
    runtime({
      type: 'davit.runtime.became-ready',
      data: { replicaId, url, servedModel: 'chat', evidence: { healthMs: 3, modelsMs: 4, inferenceMs: 90 } },
    }),
    replica({ type: 'davit.replica.ready', data: { replicaId, url, servedModel: 'chat' } }),
    ...[1, 4, 7, 9, 6, 2, 1, 0].map(load),
    replica({ type: 'davit.replica.drain-requested', data: { replicaId, reason: 'scaled down', deadlineAt: AT } }),
    replica({ type: 'davit.replica.drained', data: { replicaId, outcome: 'idle', cutRequests: 0 } }),
    replica({ type: 'davit.replica.delete-requested', data: { replicaId, reason: 'scaled down' } }),
    resource({ type: 'davit.resource.delete-attempted', data: { ...owner, attempt: 1, leaseEpoch: 1 } }),
    resource({ type: 'davit.resource.delete-accepted', data: { ...owner, attempt: 1, detail: 'accepted' } }),
    resource({ type: 'davit.resource.absence-observed', data: { ...owner, by: 'key', inventoryRows: null } }),
    resource({ type: 'davit.resource.absence-observed', data: { ...owner, by: 'inventory', inventoryRows: 17 } }),
    resource({ type: 'davit.resource.absence-confirmed', data: { ...owner, observedAt: [AT, AT], inventoryRows: 17 } }),
    replica({ type: 'davit.replica.deleted', data: { replicaId, reason: 'scaled down' } }),
  ];
}

/** Appends the lives of `replicas` replicas, twenty at a time side by side as in a fleet. Returns how many events that made. */
export async function appendReplicaLives(log: EventLog, replicas: number): Promise<number> {
  let events = 0;
  for (let first = 0; first < replicas; first += 20) {
    const lives = Array.from({ length: Math.min(20, replicas - first) }, (_, index) => lifeOf(first + index));
    for (let step = 0; lives.some((life) => step < life.length); step++) {
      const [head, ...rest] = lives
        .flatMap((life) => life[step] ?? [])
        .map(({ stream, event }): StreamWrite => ({ stream, expectedVersion: 'any', events: [event] }));
      if (!head) break;
      const result = await log.append([head, ...rest], { tenant: 'acme', service: 'bench', correlationId: 'bench' });
      if (result.outcome !== 'appended') throw new Error(`the append ended in ${result.outcome}`);
      events += result.events.length;
    }
  }
  return events;
}
