import type { RecordedEvent } from '@davit/contracts';
import { isOrphanStream } from '../lifecycle/evolve-orphan.js';
import { attemptStep, defineLaw, keyOf, knew } from './violation.js';

/**
 * Law 12: no more replicas that served are given up in one interval than the limits allow, unless the freeze between them
 * has ended; and none, nor an orphan, while it lasts.
 */
export const law12 = defineLaw('law-12-many-deaths-mean-an-ill-observer', (report, { losses: limits }) => {
  let serving = 0;
  let frozenAt: number | null = null;
  /** Illness from before this instant was called real by a thaw: it counts no more. */
  let believedBeforeMs = Number.NEGATIVE_INFINITY;
  /** Since when the replicas were ill that are being given up. */
  const ill = new Map<string, number>();
  let losses: { readonly position: number; readonly atMs: number }[] = [];
  /** Who served or was lost in the interval, at each change of the last one: a decision may rest on any of these. */
  let fleets: { readonly atMs: number; readonly size: number }[] = [];

  const within = <Timed extends { readonly atMs: number }>(all: readonly Timed[], nowMs: number): Timed[] =>
    all.filter(({ atMs }) => atMs > nowMs - limits.intervalMs);

  function count(event: RecordedEvent, change: number): void {
    const atMs = Date.parse(event.time);
    losses = within(losses, atMs);
    const before = { atMs, size: serving + losses.length };
    serving = Math.max(0, serving + change);
    fleets = [...within(fleets, atMs), before, { atMs, size: serving + losses.length }];
  }

  function lose(event: RecordedEvent, replicaId: string): void {
    if (frozenAt !== null) report(event, replicaId, 'given up while the fleet was frozen', [frozenAt]);
    const illSince = ill.get(replicaId);
    ill.delete(replicaId);
    count(event, -1);
    if (illSince !== undefined && illSince <= believedBeforeMs) return;
    losses.push({ position: event.position, atMs: Date.parse(event.time) });
    const fleet = Math.max(...fleets.map(({ size }) => size));
    if (losses.length <= Math.max(limits.floor, limits.share * fleet) || frozenAt !== null) return;
    const others = losses.slice(0, -1).map(({ position }) => position);
    report(event, replicaId, `loss ${losses.length} of ${fleet} in one interval, and the fleet not frozen`, others);
  }

  return {
    see(event) {
      switch (event.type) {
        case 'davit.replica.ready':
          count(event, 1);
          return;
        case 'davit.replica.drain-requested':
          count(event, -1);
          return;
        case 'davit.replica.failed':
          if (event.data.hadServed) lose(event, event.data.replicaId);
          return;
        case 'davit.fleet.frozen':
          frozenAt = event.position;
          return;
        case 'davit.fleet.thawed':
          frozenAt = null;
          losses = [];
          if (event.data.why !== 'recovered') believedBeforeMs = Date.parse(event.time);
          return;
        case 'davit.fleet.replica-lost':
          if (event.data.illSince !== undefined) ill.set(event.data.replicaId, Date.parse(event.data.illSince));
          return;
        default:
          if (frozenAt === null || !isOrphanStream(event.stream)) return;
          if (attemptStep(event)?.outcome === 'attempted' && knew(event, frozenAt))
            report(event, keyOf(event), 'an orphan deleted while the fleet was frozen', [frozenAt]);
      }
    },
  };
});
