import type { LoadReading } from '../metrics/load.js';

const told = (count: number | null, what: string): string => `${count ?? 'an unknown number of'} ${what}`;

/** `2 requests running, 14 waiting, generation tokens at 12345`, and since when no counter moved. */
export function describeReading({ running, waiting, progress, whole }: LoadReading, stillForMs = 0): string {
  if (progress === null && running === null && waiting === null) return 'the metrics say nothing of the engine';
  const tokens = whole?.generationTokens ?? null;
  const counters = tokens === null ? 'counters' : `generation tokens at ${tokens}`;
  const still = stillForMs > 0 ? `${counters} frozen for ${Math.round(stillForMs / 1_000)} s` : counters;
  return [told(running, 'requests running'), told(waiting, 'waiting'), progress === null ? 'no counters' : still].join(
    ', ',
  );
}
