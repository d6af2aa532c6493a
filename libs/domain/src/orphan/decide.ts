import type { NewEvent } from '@davit/contracts';
import type { OrphanState, ReplicaState } from '../lifecycle/state.js';
import type { Write } from '../decision.js';
import { orphanKeyOf } from '../lifecycle/evolve-orphan.js';
import { type RolloutState, isCanaryOf } from '../rollout/state.js';
import { type Claim, type SeenThing, claimOf, isOpenOrphan } from './claim.js';
import {
  alarmCleared,
  alarmRaised,
  type OrphanScope,
  orphanWrite,
  ownerStreamOf,
  sightData,
  thingFact,
} from './events.js';

export type OrphanPolicy = OrphanState['policy'];

export type OrphanRules = {
  readonly policy: OrphanPolicy;
  /** Nothing is done to an orphan for this long after it was found. */
  readonly quarantineMs: number;
  /** A thing is looked at for this long before it may be called an orphan: its owner's record may be on its way. */
  readonly youngMs: number;
  readonly absenceSpacingMs: number;
  readonly deleteRetryMs: number;
};

/** Something to write, or nothing. */
export type Settled =
  | { readonly do: 'nothing' }
  | { readonly do: 'append'; readonly tenant: string; readonly writes: readonly [Write, ...Write[]] };

export type OrphanDecision =
  | Settled
  /** Delete exactly this thing, unless an owner has turned up by then. */
  | { readonly do: 'reap'; readonly orphan: OrphanState; readonly attempt: number };

const NOTHING: Settled = { do: 'nothing' };
const DEFAULT_TENANT = 'default';

/** What the decision about one thing of an inventory rests on. */
export type Sighting = {
  readonly scope: OrphanScope;
  readonly thing: SeenThing;
  /** Everything of this name in the same inventory. */
  readonly namesakes: readonly SeenThing[];
  readonly owner: ReplicaState | undefined;
  /** The rollout whose canary has, or had, its name. */
  readonly canaryOf?: RolloutState | undefined;
  /** What the log says of this very thing as an orphan. */
  readonly known: OrphanState | undefined;
  /** When it was seen first, by the present process. */
  readonly firstSeenMs: number;
  /** Its alarm is up. */
  readonly alarmed: boolean;
  /** The fleet is frozen (law 12). */
  readonly frozen: boolean;
  readonly rules: OrphanRules;
  readonly nowMs: number;
};

/** Decides over one thing that an inventory shows. Pure. */
export function decideSighting(sighting: Sighting): OrphanDecision {
  const { thing, namesakes, owner, canaryOf, known } = sighting;
  if (canaryOf && isCanaryOf(canaryOf, thing.externalKey))
    return isOpenOrphan(known)
      ? clear(sighting, known, 'owner-found', `it is the canary of rollout ${canaryOf.id}`)
      : NOTHING;
  const claim = claimOf(thing, namesakes, owner, known);
  switch (claim.whose) {
    case 'owner':
      return isOpenOrphan(known) ? clear(sighting, known, 'owner-found', `it is ${owner?.id}'s`) : NOTHING;
    case 'unclear':
      return NOTHING;
    case 'proven-gone':
      return isOpenOrphan(known)
        ? clear(sighting, known, 'owner-found', `it is what ${claim.owner.id} had`)
        : reopen(sighting, claim.owner);
    case 'nobody':
      return isOpenOrphan(known) ? pursue(sighting, known) : find(sighting, claim);
  }
}

/** Law 5: a thing that reappears reopens the operation that had ended with its absence. Told once. */
function reopen({ scope, thing }: Sighting, owner: ReplicaState): Settled {
  const { confirmedAt } = owner.absence;
  if (confirmedAt === null) return NOTHING;
  const who = { externalKey: owner.externalKey, replicaId: owner.id };
  const drift = {
    what: 'reappeared',
    was: `proven gone at ${confirmedAt}`,
    is: `${thing.providerId ?? 'no identity'} ${thing.phase}`.slice(0, 500),
    detail: `${thing.source} lists it again: ${thing.detail}`,
  };
  return {
    do: 'append',
    tenant: owner.tenant,
    writes: [
      {
        stream: ownerStreamOf(scope, owner.externalKey),
        expectedVersion: owner.versions.resource,
        events: [thingFact(scope, who, 'observed', sightData(thing)), thingFact(scope, who, 'drifted', drift)],
      },
    ],
  };
}

function find(sighting: Sighting, claim: Extract<Claim, { whose: 'nobody' }>): Settled {
  const { scope, thing, known, canaryOf, firstSeenMs, nowMs, rules } = sighting;
  if (nowMs - firstSeenMs < rules.youngMs) return NOTHING;
  const { externalKey, providerId, phase, price } = thing;
  const whose = canaryOf ? `it has the name of the canary of rollout ${canaryOf.id}` : claim.detail;
  const reason = canaryOf ? 'canary-left' : claim.reason;
  const detail = `${whose}; ${thing.source} lists ${providerId ?? 'it without an identity'}: ${thing.detail}`;
  const quarantinedUntil = new Date(nowMs + rules.quarantineMs).toISOString();
  const policy = policyFor(reason, rules.policy);
  const found = { reason, providerId, phase, price, quarantinedUntil, policy, detail };
  const who = { externalKey, replicaId: claim.owner?.id ?? null };
  const version = known?.version ?? 0;
  const about = orphanKeyOf(scope.adapter, externalKey, providerId);
  const alarm = alarmRaised(about, `${REASONS[reason]}, ${costOf(thing)}; ${FOLLOWS[policy]}`);
  const write = orphanWrite(scope, { ...thing, version }, thingFact(scope, who, 'orphan-found', found));
  return {
    do: 'append',
    tenant: claim.owner?.tenant ?? canaryOf?.tenant ?? DEFAULT_TENANT,
    writes: sighting.alarmed ? [write] : [write, alarm],
  };
}

/** What carries the name of a replica whose deletion was asked for, and that is gone, needs nobody's approval a second time. */
const policyFor = (reason: OrphanState['reason'], policy: OrphanPolicy): OrphanPolicy =>
  reason === 'owner-gone' && policy === 'approve' ? 'auto' : policy;

const REASONS: Readonly<Record<OrphanState['reason'], string>> = {
  'no-owner': 'nothing in the log owns it',
  'owner-gone': 'its owner is gone',
  duplicate: 'its owner has another thing of this name',
  'canary-left': 'the rollout whose canary it was is rid of it, or over',
};
const FOLLOWS: Readonly<Record<OrphanPolicy, string>> = {
  report: 'it is only reported',
  approve: 'it is deleted once somebody approves it, after its quarantine',
  auto: 'it is deleted after its quarantine',
};
const costOf = ({ price }: SeenThing): string =>
  price === null ? 'at a price not known' : `at ${price.amount} ${price.currency} an hour (${price.unit})`;

function clear(
  { scope, alarmed }: Pick<Sighting, 'scope' | 'alarmed'>,
  orphan: OrphanState,
  reason: 'owner-found' | 'gone',
  detail: string,
): Settled {
  const cleared = thingFact(scope, orphan, 'orphan-cleared', { reason, detail });
  const lost = unheard(scope, orphan);
  const write = lost ? orphanWrite(scope, orphan, lost, cleared) : orphanWrite(scope, orphan, cleared);
  return {
    do: 'append',
    tenant: orphan.tenant,
    writes: alarmed ? [write, alarmCleared(orphan.key, detail)] : [write],
  };
}

/** Law 3: an attempt whose answer nobody waits for any more has had an unknown outcome. */
function unheard(scope: OrphanScope, orphan: OrphanState): NewEvent | undefined {
  if (orphan.deletion?.outcome !== 'attempted') return undefined;
  const { attempt } = orphan.deletion;
  return thingFact(scope, orphan, 'delete-unknown', { attempt, detail: 'no answer came, and none is waited for now' });
}

/** What becomes of an orphan that is still there. */
function pursue(sighting: Sighting, orphan: OrphanState): OrphanDecision {
  const { scope, thing, frozen, rules, nowMs } = sighting;
  if (orphan.absence.observedAt.length > 0) return seenAgain(scope, orphan, thing);
  const dueMs = reapDueMs(orphan, rules);
  if (frozen || dueMs === null || nowMs < dueMs) return NOTHING;
  return { do: 'reap', orphan, attempt: (orphan.attempts ?? 0) + 1 };
}

const seenAgain = (scope: OrphanScope, orphan: OrphanState, thing: SeenThing): Settled => {
  const seen = thingFact(scope, orphan, 'observed', sightData(thing));
  return { do: 'append', tenant: orphan.tenant, writes: [orphanWrite(scope, orphan, seen)] };
};

/** When the orphan may be deleted, or its deletion be asked for again; null while that is for nobody to decide here. */
export function reapDueMs(orphan: OrphanState, rules: OrphanRules): number | null {
  const policy = stricter(orphan.policy, policyFor(orphan.reason, rules.policy));
  if (policy === 'report' || (policy === 'approve' && orphan.approved === null)) return null;
  if (orphan.deletion !== null) return Date.parse(orphan.deletion.since) + rules.deleteRetryMs;
  return Date.parse(orphan.quarantinedUntil);
}

/** What was announced when it was found holds, unless the installation has become more careful since. */
const stricter = (a: OrphanPolicy, b: OrphanPolicy): OrphanPolicy =>
  a === 'report' || b === 'report' ? 'report' : a === 'approve' || b === 'approve' ? 'approve' : 'auto';

/** What the decision about an orphan that an inventory does not show rests on. */
export type Missing = Pick<Sighting, 'scope' | 'alarmed' | 'rules' | 'nowMs'> & {
  readonly orphan: OrphanState;
  readonly inventory: { readonly rows: number; readonly sources: readonly string[] };
};

/** Decides over an orphan that an inventory no longer shows: two of them, spaced, say that it is gone (law 5). */
export function decideMissing({ scope, orphan, inventory, alarmed, rules, nowMs }: Missing): Settled {
  if (!isOpenOrphan(orphan)) return NOTHING;
  const absent = thingFact(scope, orphan, 'absence-observed', { by: 'inventory', inventoryRows: inventory.rows });
  const [first] = orphan.absence.observedAt;
  if (first === undefined) {
    return { do: 'append', tenant: orphan.tenant, writes: [orphanWrite(scope, orphan, absent)] };
  }
  if (nowMs - Date.parse(first) < rules.absenceSpacingMs) return NOTHING;
  if (orphan.status === 'quarantined') return clear({ scope, alarmed }, orphan, 'gone', 'it went away by itself');
  const confirmed = thingFact(scope, orphan, 'absence-confirmed', {
    observedAt: [first, new Date(nowMs).toISOString()],
    inventoryRows: inventory.rows,
    inventorySources: inventory.sources,
  });
  const write = orphanWrite(scope, orphan, absent, confirmed);
  const writes: readonly [Write, ...Write[]] = alarmed ? [write, alarmCleared(orphan.key, 'proven gone')] : [write];
  return { do: 'append', tenant: orphan.tenant, writes };
}

/** Decides over an orphan that may be what another row of its name shows: it is not gone, and nothing is done to it. */
export const decideHidden = ({ scope, orphan, thing }: Pick<Missing, 'scope' | 'orphan'> & Pick<Sighting, 'thing'>) =>
  isOpenOrphan(orphan) && orphan.absence.observedAt.length > 0 ? seenAgain(scope, orphan, thing) : NOTHING;

/** When an orphan needs the next inventory, if earlier than the schedule brings one; null when it does not. */
export function nextLookMs(orphan: OrphanState, rules: OrphanRules): number | null {
  if (!isOpenOrphan(orphan)) return null;
  const [first] = orphan.absence.observedAt;
  if (first !== undefined) return Date.parse(first) + rules.absenceSpacingMs;
  if (orphan.status === 'reaping' && orphan.deletion) return Date.parse(orphan.deletion.since) + rules.absenceSpacingMs;
  return reapDueMs(orphan, rules);
}
