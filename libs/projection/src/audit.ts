import type { EventLog } from '@davit/event-log';
import type { Clock } from '@davit/ports';
import { compareAll, compareSome } from './audit-compare.js';
import { type DifferingDocument, type LocatedDifference, locateDifferences } from './audit-history.js';
import type { DocumentRef, ProjectionDefinition, ProjectionStore } from './projection.js';
import { PAGE_SIZE, foldUpTo } from './rebuild.js';
import { refId } from './refs.js';
import type { ProjectionStores } from './stores.js';

/** Left-overs of audits that died are removed by a later one after this long. */
const SHADOW_LIFE_MS = 3_600_000;
const MAX_ROUNDS = 50;

export interface AuditOptions {
  readonly definition: ProjectionDefinition;
  readonly stores: ProjectionStores;
  readonly log: EventLog;
  readonly clock: Clock;
}

export interface AuditReport {
  readonly equal: boolean;
  /** Position up to which live and rebuilt documents were compared. */
  readonly position: number;
  readonly compared: number;
  readonly differing: number;
  /** The difference that began first in the log. */
  readonly firstDifference: LocatedDifference | undefined;
}

/** The live projection was lost, rebuilt, or changed too fast to be compared; ask again. */
export class AuditInconclusiveError extends Error {
  readonly code = 'audit-inconclusive';
}

/**
 * Rebuilds a projection from the log beside the live tables and compares document by document, while the live one goes
 * on. Documents that changed during the comparison are compared again at a later position.
 * @throws AuditInconclusiveError, CannotApplyError
 */
export async function auditProjection(options: AuditOptions): Promise<AuditReport> {
  const { definition, stores, log, clock } = options;
  const live = stores.store(definition);
  const label = `audit-${clock.nowMs().toString(36)}`;
  await dropLeftovers(options);
  const shadow = stores.shadow(definition, label);
  try {
    await shadow.prepare();
    const { compared, differing, position } = await compareSettled(definition, log, live, shadow);
    const located = await locateDifferences(definition, log, differing, position);
    const [firstDifference] = [...located].sort((left, right) => left.position - right.position);
    return { equal: differing.length === 0, position, compared, differing: differing.length, firstDifference };
  } finally {
    await stores.dropShadow(definition, label);
  }
}

/** What differs once everything that the live projection touched meanwhile has been looked at again. */
async function compareSettled(
  definition: ProjectionDefinition,
  log: EventLog,
  live: ProjectionStore,
  shadow: ProjectionStore,
): Promise<{ compared: number; differing: readonly DifferingDocument[]; position: number }> {
  let position = await bringUpTo(definition, log, live, shadow, 0);
  const whole = await compareAll(live, shadow);
  let found = whole.differing;
  const differing: DifferingDocument[] = [];
  let touched = await touchedBetween(definition, log, live, position);
  for (let round = 0; ; round++) {
    differing.push(...found.filter((difference) => !touched.has(refId(difference))));
    // A touched document that was found equal may have been read a moment too early or too late to tell.
    if (touched.size === 0) return { compared: whole.compared, differing, position };
    if (round >= MAX_ROUNDS) throw new AuditInconclusiveError('documents changed faster than they could be compared');
    const again = [...touched.values()];
    position = await bringUpTo(definition, log, live, shadow, position);
    found = await compareSome(live, shadow, again);
    const since = await touchedBetween(definition, log, live, position);
    touched = new Map(again.map((ref) => [refId(ref), ref] as const).filter(([id]) => since.has(id)));
  }
}

/** Folds the shadow up to where the live projection stands now. */
async function bringUpTo(
  definition: ProjectionDefinition,
  log: EventLog,
  live: ProjectionStore,
  shadow: ProjectionStore,
  from: number,
): Promise<number> {
  const target = await live.position();
  const { position } = await foldUpTo(definition, log, shadow, from, target);
  if (position !== target) throw new AuditInconclusiveError(`the rebuild reached ${position} instead of ${target}`);
  return position;
}

/** Documents that the live projection may have changed since it stood at `position`. */
async function touchedBetween(
  definition: ProjectionDefinition,
  log: EventLog,
  live: ProjectionStore,
  position: number,
): Promise<Map<string, DocumentRef>> {
  const now = await live.position();
  if (now < position) throw new AuditInconclusiveError('the live projection was built anew during the audit');
  const touched = new Map<string, DocumentRef>();
  for (let after = position; after < now;) {
    const events = await log.read(after, Math.min(PAGE_SIZE, now - after));
    const last = events.at(-1);
    if (!last) break;
    for (const ref of events.flatMap((event) => definition.refs(event))) touched.set(refId(ref), ref);
    after = last.position;
  }
  return touched;
}

async function dropLeftovers({ definition, stores, clock }: AuditOptions): Promise<void> {
  for (const label of await stores.shadows(definition)) {
    const startedMs = Number.parseInt(label.replace(/^audit-/, ''), 36);
    if (startedMs < clock.nowMs() - SHADOW_LIFE_MS) await stores.dropShadow(definition, label);
  }
}
