import { InvalidEventError, type RecordedEvent } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { CannotApplyError, foldPage } from './fold.js';
import type { DocumentChange, ProjectionDefinition, ProjectionStore } from './projection.js';

/** Events folded per commit. Row by row was measured to be 45 times slower. */
export const PAGE_SIZE = 1_000;

export interface PageApplied {
  readonly outcome: 'applied';
  readonly to: number;
  readonly changes: readonly DocumentChange[];
}

/** What applying a run of events ended in. `rival`: another instance moved the checkpoint first. */
export type ApplyOutcome = PageApplied | { readonly outcome: 'rival' };

/**
 * Applies consecutive events that start right after the checkpoint `from`.
 * @throws CannotApplyError after the events before the failing one are committed
 */
export async function applyEvents(
  definition: ProjectionDefinition,
  store: ProjectionStore,
  from: number,
  events: readonly RecordedEvent[],
  onApplied?: (page: PageApplied) => void,
): Promise<ApplyOutcome> {
  const seen = { ahead: false };
  const page = await foldPage(definition, from, events, async (refs) => {
    const rows = await store.getMany(refs);
    seen.ahead = rows.some((row) => row.position > from);
    return rows;
  });
  // The checkpoint alone would not tell, should the tables be lost and made anew before the commit.
  if (seen.ahead) return { outcome: 'rival' };
  const { to, changes } = page;
  if (to > from) {
    if (!(await store.commit(from, to, changes))) return { outcome: 'rival' };
    onApplied?.({ outcome: 'applied', to, changes });
  }
  if (page.failure) throw page.failure;
  return { outcome: 'applied', to, changes };
}

/**
 * Reads a page of the log, short of an event that this reader does not understand.
 * @throws CannotApplyError when that event is the first of the page
 */
export async function readPage(
  definition: ProjectionDefinition,
  log: Pick<EventLog, 'read'>,
  after: number,
  limit = PAGE_SIZE,
): Promise<readonly RecordedEvent[]> {
  try {
    return await log.read(after, limit);
  } catch (error) {
    if (!(error instanceof InvalidEventError) || error.position === undefined) throw error;
    if (error.position <= after + 1) throw new CannotApplyError(definition.name, error.position, error);
    return await log.read(after, error.position - after - 1);
  }
}

/**
 * Folds the log into the store until `upTo`, a page at a time; the next page is read while one is applied.
 * Stops early at the end of the log, or when a rival moved the checkpoint.
 * @returns the position reached by this call
 */
export async function foldUpTo(
  definition: ProjectionDefinition,
  log: Pick<EventLog, 'read'>,
  store: ProjectionStore,
  from: number,
  upTo: number,
  options: { readonly onApplied?: (page: PageApplied) => void; readonly signal?: AbortSignal } = {},
): Promise<{ readonly position: number; readonly rival: boolean }> {
  const read = (after: number): Promise<readonly RecordedEvent[]> =>
    after >= upTo ? Promise.resolve([]) : readPage(definition, log, after, Math.min(PAGE_SIZE, upTo - after));
  let position = from;
  let events = await read(position);
  for (let last = events.at(-1); last && !options.signal?.aborted; last = events.at(-1)) {
    const next = read(last.position);
    next.catch(() => undefined); // seen below, unless applying this page fails first
    const applied = await applyEvents(definition, store, position, events, options.onApplied);
    if (applied.outcome === 'rival') return { position, rival: true };
    position = applied.to;
    events = await next;
  }
  return { position, rival: false };
}
