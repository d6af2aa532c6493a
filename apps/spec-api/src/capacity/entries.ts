import type { CapacityEntry, Placement, RecordedEvent, StockSignal } from '@davit/contracts';
import { isRefusal, offerKeyOf } from '@davit/domain';
import type { OfferFilter } from './offer-filter.js';

type Known = { readonly expiresMs: number; readonly position: number };

/**
 * Makes entries of events, in the order of time. Where a signal runs out before the next one, an entry says that from there on
 * nothing is known (law 4): the last value is never carried on.
 */
export class Entries {
  /** Offers of which something is known, and until when. */
  private readonly known = new Map<string, Known>();
  /** Since when nothing is known of an offer of which something was. */
  private readonly silent = new Map<string, number>();
  /** Where replicas were placed: events of older versions do not say where a replica became ready. */
  private readonly placed = new Map<string, Placement>();

  /** @param sinceMs from where on the log is read: what was said before is not known here */
  constructor(
    private readonly wanted: OfferFilter,
    private readonly sinceMs: number,
  ) {}

  /** What this event adds: first what ran out before it, then what it says. */
  see(event: RecordedEvent): readonly CapacityEntry[] {
    const silences = this.ranOut(Date.parse(event.time));
    const entry = this.entryOf(event);
    return entry ? [...silences, entry] : silences;
  }

  /** What has run out by a time and was not told yet. */
  ranOut(ms: number): readonly CapacityEntry[] {
    const over = [...this.known].filter(([, { expiresMs }]) => expiresMs <= ms);
    return over
      .toSorted(([, a], [, b]) => a.expiresMs - b.expiresMs || a.position - b.position)
      .map(([offer, { expiresMs, position }]) => {
        this.known.delete(offer);
        this.silent.set(offer, expiresMs);
        return { kind: 'unknown', offer, position, time: new Date(expiresMs).toISOString(), until: null };
      });
  }

  private entryOf(event: RecordedEvent): CapacityEntry | undefined {
    switch (event.type) {
      case 'davit.capacity.assessed':
      case 'davit.capacity.sampled': {
        const { placement, signal } = event.data;
        if (!this.wanted(placement)) return undefined;
        const replica = event.type === 'davit.capacity.assessed' ? event.data.replicaId : null;
        return this.signal(event, offerKeyOf(placement), signal, replica);
      }
      case 'davit.capacity.price-quoted': {
        const { placement, price } = event.data;
        return this.wanted(placement) ? { ...place(event, placement), kind: 'price', price } : undefined;
      }
      case 'davit.capacity.advice-failed': {
        const { placement, source, detail } = event.data;
        return this.wanted(placement)
          ? { ...place(event, placement), kind: 'advice-failed', source, detail }
          : undefined;
      }
      default:
        return this.start(event);
    }
  }

  private signal(event: RecordedEvent, offer: string, signal: StockSignal, replica: string | null): CapacityEntry {
    const { position, time } = event;
    const eventMs = Date.parse(time);
    const silentMs = this.known.has(offer) ? null : (this.silent.get(offer) ?? this.sinceMs);
    if (signal.state === 'unknown') {
      this.known.delete(offer);
      this.silent.set(offer, silentMs ?? eventMs);
    } else this.known.set(offer, { expiresMs: Math.max(eventMs, Date.parse(signal.expiresAt)), position });
    const unknownSince = silentMs === null ? null : new Date(Math.min(silentMs, eventMs)).toISOString();
    const { state, source, scope, level, observedAt, expiresAt, price, detail, confidence = null } = signal;
    const asked = replica === null ? 'on-schedule' : 'for-a-replica';
    const said = { state, source, scope, level, observedAt, expiresAt, confidence, price, detail, unknownSince };
    return { kind: 'signal', position, time, offer, asked, replica, ...said };
  }

  private start(event: RecordedEvent): CapacityEntry | undefined {
    switch (event.type) {
      case 'davit.replica.placed': {
        const { placement, price, replicaId, evidence } = event.data;
        if (!placement || !this.wanted(placement)) return undefined;
        this.placed.set(replicaId, placement);
        const reason = evidence.find(({ verdict }) => verdict === 'chosen')?.reason ?? '';
        return { ...started(event, placement, replicaId), step: 'placed', class: null, price, detail: reason };
      }
      case 'davit.replica.ready': {
        const { replicaId } = event.data;
        const placement = event.data.placement ?? this.placed.get(replicaId);
        if (!placement || !this.wanted(placement)) return undefined;
        return { ...started(event, placement, replicaId), step: 'ready', class: null, price: null, detail: '' };
      }
      case 'davit.replica.failed': {
        const { placement, replicaId, hadServed, reason, detail, class: failure } = event.data;
        this.placed.delete(replicaId);
        if (!placement || !this.wanted(placement)) return undefined;
        const step = hadServed ? 'lost' : isRefusal(failure) ? 'refused' : 'failed';
        const why = { class: failure, price: null, detail: detail === '' ? reason : `${reason}: ${detail}` };
        return { ...started(event, placement, replicaId), step, ...why };
      }
      case 'davit.replica.deleted':
        this.placed.delete(event.data.replicaId);
        return undefined;
      default:
        return undefined;
    }
  }
}

const place = ({ position, time }: RecordedEvent, placement: Placement) => ({
  position,
  time,
  offer: offerKeyOf(placement),
});

const started = (event: RecordedEvent, placement: Placement, replica: string) => ({
  ...place(event, placement),
  kind: 'start' as const,
  replica,
});

/** Says of each silence when it ended, where that is among the entries. */
export function withEnds(entries: readonly CapacityEntry[]): readonly CapacityEntry[] {
  const again = new Map<string, string>();
  return entries
    .toReversed()
    .map((entry): CapacityEntry => {
      if (entry.kind === 'signal') {
        if (entry.state === 'unknown') again.delete(entry.offer);
        else again.set(entry.offer, entry.time);
      }
      return entry.kind === 'unknown' ? { ...entry, until: again.get(entry.offer) ?? null } : entry;
    })
    .toReversed();
}
