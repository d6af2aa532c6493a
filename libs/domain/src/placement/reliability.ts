import type { ErrorClass } from '@davit/contracts';
import { oncePerRecord, servedIn } from './record.js';

/** What we did wrong ourselves says nothing of the machines. */
const OURS: ReadonlySet<ErrorClass | null> = new Set(['config', 'auth', 'bug']);

/** How starts on an offer went that were not refused: a refusal is a matter of stock. */
export type Reliability = {
  /** 0 to 1, with one good and one bad start mixed in, so that a single success is no certainty. */
  readonly score: number;
  /** Starts that served and were not lost. */
  readonly good: number;
  readonly failed: number;
  /** Starts that served and were lost later. */
  readonly lost: number;
};

/** Reliability of an offer; null while no start on it served or failed. */
export const reliabilityOf = oncePerRecord((offer): Reliability | null => {
  const gone = new Set(offer.losses.map(({ replicaId }) => replicaId));
  const served = servedIn(offer);
  const lost = served.filter(({ replicaId }) => gone.has(replicaId)).length;
  const failed = offer.tries.filter((tried) => tried.outcome === 'failed' && !OURS.has(tried.class)).length;
  const good = served.length - lost;
  if (served.length + failed === 0) return null;
  return { score: Math.round(((good + 1) / (served.length + failed + 2)) * 1_000) / 1_000, good, failed, lost };
});
