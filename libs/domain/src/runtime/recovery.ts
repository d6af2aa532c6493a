/** How often a server that had worked was found unready of late, and how it has answered since. */
export type Recovery = {
  /** When it was found so, oldest first. */
  readonly unreadyAtMs: readonly number[];
  /** Good probes since the last time. */
  readonly successes: number;
};
export const NEVER_UNREADY: Recovery = { unreadyAtMs: [], successes: 0 };

/** What happened longer ago counts no more. */
export const RECOVERY_MEMORY_MS = 10 * 60_000;
/** As many good probes in a row as are ever asked for. */
export const MOST_SUCCESSES = 8;

const recent = (unreadyAtMs: readonly number[], nowMs: number): readonly number[] =>
  unreadyAtMs.filter((atMs) => nowMs - atMs < RECOVERY_MEMORY_MS).slice(-MOST_SUCCESSES);

export const afterUnready = ({ unreadyAtMs }: Recovery, nowMs: number): Recovery => ({
  unreadyAtMs: [...recent(unreadyAtMs, nowMs), nowMs],
  successes: 0,
});

/** A probe in between that failed. */
export const afterFailure = (recovery: Recovery): Recovery =>
  recovery.successes === 0 ? recovery : { ...recovery, successes: 0 };

/**
 * What a good probe adds. The first recovery takes one; each further one within the memory takes twice as many as the one
 * before, so that a server that comes and goes stays away.
 */
export function afterSuccess(
  { unreadyAtMs, successes }: Recovery,
  nowMs: number,
): { readonly recovery: Recovery; readonly isBack: boolean } {
  const times = recent(unreadyAtMs, nowMs);
  const needed = Math.min(MOST_SUCCESSES, 2 ** Math.max(0, times.length - 1));
  return { recovery: { unreadyAtMs: times, successes: successes + 1 }, isBack: successes + 1 >= needed };
}
