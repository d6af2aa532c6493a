import type { LaunchOrder, ObserveHints, ObserveResult } from '@davit/provider-kit';
import type { WorldRig } from './world-rig.js';

/** Hints of a replica that starts, unless they say otherwise. */
export const hints = (subject: LaunchOrder, changes: Partial<ObserveHints> = {}): ObserveHints => ({
  subject,
  purpose: 'follow',
  askedAtMs: 0,
  launching: true,
  mayBeInvisible: false,
  billed: false,
  handle: null,
  url: null,
  providerId: null,
  ...changes,
});

/** Launches, and takes an acceptance for granted. */
export async function launched(
  rig: WorldRig,
  order = rig.order(),
): Promise<{ order: LaunchOrder; handle: string | null }> {
  const result = await rig.backend.ensure(order);
  if (result.outcome !== 'accepted') throw new Error(JSON.stringify(result));
  return { order, handle: result.handle };
}

export type Present = Extract<ObserveResult, { outcome: 'present' }>;

/** Launches, waits until it is up, and gives the hints of a replica that was ready. */
export async function serving(rig: WorldRig): Promise<{ order: LaunchOrder; seen: Present; known: ObserveHints }> {
  const { order } = await launched(rig);
  await rig.clock.advance(10_000);
  const seen = await rig.backend.observe(order.externalKey, hints(order));
  if (seen.outcome !== 'present' || seen.url === null) throw new Error(JSON.stringify(seen));
  return { order, seen, known: hints(order, { launching: false, url: seen.url, providerId: seen.providerId }) };
}

export const phaseOf = (seen: ObserveResult): string => (seen.outcome === 'present' ? seen.phase : seen.outcome);
