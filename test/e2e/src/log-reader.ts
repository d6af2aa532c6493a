import type { DavitClient } from '@davit/cli';
import { type RecordedEvent, parseRecordedEvent } from '@davit/contracts';

const PAGE = 500;

/** The whole log over the HTTP API, every event validated. */
export async function readLog(client: DavitClient): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await client.events(events.at(-1)?.position ?? 0, PAGE);
    events.push(...page.map((event) => parseRecordedEvent(event)));
    if (page.length < PAGE) return events;
  }
}

/** Milliseconds from each accepted intent that changed something to each route it led to, in log order. */
export function intentToRouteMs(events: readonly RecordedEvent[]): readonly number[] {
  const acceptedAtMs = new Map<string, number>();
  const correlationOf = new Map<string, string>();
  const durations: number[] = [];
  for (const event of events) {
    if (event.type === 'davit.intent.accepted' && event.data.changed)
      acceptedAtMs.set(event.data.intentId, Date.parse(event.time));
    if (event.type === 'davit.replica.requested' && event.correlationid !== undefined && event.data.incarnation === 1) {
      correlationOf.set(event.data.replicaId, event.correlationid);
    }
    if (event.type === 'davit.route.registered') {
      const startMs = acceptedAtMs.get(correlationOf.get(event.data.target.replica) ?? '');
      if (startMs !== undefined) durations.push(Date.parse(event.time) - startMs);
    }
  }
  return durations;
}

/**
 * The part of each life from request to route that Davit itself took: everything but the time inside the provider's
 * and the model server's calls, that is, between asking for a launch and the first sight of a URL, and from there to the
 * first answer of the model server.
 */
export function ownOverheadMs(events: readonly RecordedEvent[]): readonly number[] {
  const byReplica = new Map<string, Record<string, number>>();
  const note = (replicaId: string | null, name: string, event: RecordedEvent): void => {
    if (replicaId === null) return;
    const marks = byReplica.get(replicaId) ?? {};
    marks[name] ??= Date.parse(event.time);
    byReplica.set(replicaId, marks);
  };
  for (const event of events) {
    if (event.type === 'davit.replica.requested') note(event.data.replicaId, 'requested', event);
    if (event.type === 'davit.replica.discovery-requested') note(event.data.replicaId, 'discoveryAsked', event);
    if (event.type === 'davit.resource.discovered') note(event.data.replicaId, 'discovered', event);
    if (event.type === 'davit.capacity.assessed') note(event.data.replicaId, 'assessed', event);
    if (event.type === 'davit.resource.launch-attempted') note(event.data.replicaId, 'attempted', event);
    if (event.type === 'davit.runtime.became-ready') note(event.data.replicaId, 'provenReady', event);
    if (event.type === 'davit.route.registered') note(event.data.target.replica, 'routed', event);
  }
  return [...byReplica.values()].flatMap((marks) => {
    const { requested, discovered, assessed, attempted, provenReady, routed } = marks;
    const known = [requested, discovered, assessed, attempted, provenReady, routed];
    if (known.some((mark) => mark === undefined)) return [];
    const gap = (from: number | undefined, to: number | undefined): number => Math.max(0, (to ?? 0) - (from ?? 0));
    // Looking (requested → discovered) and asking for stock (discovered → assessed) are calls to the outside.
    return [gap(assessed, attempted) + gap(provenReady, routed)];
  });
}

export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}
