import { oncePerRecord, servedIn } from './record.js';

/** From the choice of the offer to the first answer of its model server. */
export type ReadyTime = {
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Starts that served, which both rest on. */
  readonly starts: number;
};

/** How long starts on an offer took that served; null while none did. */
export const readyTimeOf = oncePerRecord((offer): ReadyTime | null => {
  const took = servedIn(offer)
    .map(({ startedMs, endedMs }) => Math.max(0, endedMs - startedMs))
    .sort((a, b) => a - b);
  const at = (share: number): number | undefined => took[Math.max(0, Math.ceil(took.length * share) - 1)];
  const medianMs = at(0.5);
  const p95Ms = at(0.95);
  return medianMs === undefined || p95Ms === undefined ? null : { medianMs, p95Ms, starts: took.length };
});
