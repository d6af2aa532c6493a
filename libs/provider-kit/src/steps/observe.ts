import { compareAmounts, type ReplicaState } from '@davit/domain';
import type { NewEvent } from '@davit/contracts';
import type { ReconcileResult } from '@davit/reconcile';
import type { Diagnosis, Observation } from '../backend.js';
import { fact } from '../facts.js';
import type { Pass } from '../pass.js';
import { driftOf, isNewDiagnosis, sightOf, vanished } from './drift.js';

/** Follows a resource that should exist. Only changes become events. */
export async function observe(pass: Pass, againMs: number): Promise<ReconcileResult> {
  const { backend, replica } = pass;
  const hints = pass.hints('follow');
  const seen = await pass.ask('observe', () => backend.observe(replica.externalKey, hints));
  if (seen.outcome !== 'unknown') pass.blindness.end(replica.id);
  switch (seen.outcome) {
    case 'present':
      await tell(pass, seen);
      return { requeueAfterMs: againMs };
    case 'absent':
      // Right after a launch, not to be seen is not to be absent.
      if (!hints.mayBeInvisible) await pass.append([absenceByKey(pass)]);
      return pass.soon;
    case 'unknown':
      await tellLostSight(pass, seen.detail);
      return { requeueAfterMs: againMs };
  }
}

/** What is seen, what that means if nobody here asked for it, and why a start does not come to an end. */
async function tell(pass: Pass, seen: Observation): Promise<void> {
  const { backend, replica } = pass;
  const sight = sightOf(replica, seen);
  const isNew = replica.absence.observedAt.length > 0 || differs(replica, sight);
  const drift = isNew || seen.recordLost || seen.changed ? driftOf(replica, seen) : undefined;
  const events = [
    ...(isNew ? [observed(pass, sight)] : []),
    ...(drift ? [fact(backend, replica, 'drifted', drift)] : []),
    ...(seen.diagnosis && isNewDiagnosis(replica, seen) ? [diagnosed(pass, seen.diagnosis)] : []),
  ];
  const [first, ...rest] = events;
  if (first) await pass.append([first, ...rest]);
}

/** What was seen last is no longer known to be so; address and identity stay, as what it was (law 4). Told once. */
async function tellLostSight(pass: Pass, detail: string): Promise<void> {
  const { backend, replica, blindness } = pass;
  if (!blindness.isOver(replica.id, pass.nowMs) || replica.resource?.phase === 'unknown') return;
  await pass.append([
    fact(backend, replica, 'observed', {
      phase: 'unknown',
      url: replica.resource?.url ?? null,
      providerId: replica.resource?.providerId ?? null,
      price: null,
      class: null,
      detail: `not seen since ${blindness.sinceIso(replica.id)}: ${detail}`,
    }),
  ]);
}

/**
 * Looks for a resource that should be gone, or has not been seen. Two absences by key, spaced, and an inventory without it
 * prove its absence (law 5); any sight of it starts the proof anew.
 */
export async function lookForAbsence(pass: Pass, confirm: boolean, againMs: number): Promise<ReconcileResult> {
  const { backend, replica } = pass;
  const hints = pass.hints('absence');
  const seen = await pass.ask('look-for-absence', () => backend.observe(replica.externalKey, hints));
  const again = { requeueAfterMs: againMs };
  if (seen.outcome !== 'unknown') pass.blindness.end(replica.id);
  switch (seen.outcome) {
    case 'present':
      if (replica.deletion === null) await tell(pass, seen);
      else if (replica.absence.observedAt.length > 0 || differs(replica, seen)) {
        // Whatever has its name stands in the way of its proof.
        await pass.append([observed(pass, seen)]);
      }
      return again;
    case 'unknown':
      await tellLostSight(pass, seen.detail);
      return pass.backOff(replica.absence.observedAt[0] ?? null);
    case 'absent':
      // Proven already: the same proof is not told twice.
      if (hints.mayBeInvisible || replica.absence.confirmedAt !== null) return again;
      if (confirm) return confirmAbsence(pass, again);
      await pass.append([absenceByKey(pass)]);
      return again;
  }
}

async function confirmAbsence(pass: Pass, again: ReconcileResult): Promise<ReconcileResult> {
  const { backend, replica } = pass;
  const lookedAt = new Date(pass.nowMs).toISOString();
  const [first] = replica.absence.observedAt;
  const inventory = await pass.ask('inventory', () => backend.inventory(keyPrefix(replica.externalKey), pass.subject));
  if (inventory.outcome === 'unknown' || first === undefined) return pass.backOff(first ?? null);
  const row = inventory.rows.find(({ externalKey }) => externalKey === replica.externalKey);
  if (row) {
    const detail = 'the inventory lists it although a look by name found nothing';
    const sight: Observation = { ...row, url: null, price: null, class: null, detail };
    await pass.append([observed(pass, replica.deletion === null ? sightOf(replica, sight) : sight)]);
    return again;
  }
  const { rows, sources } = inventory;
  const proof = { observedAt: [first, lookedAt], inventoryRows: rows.length, inventorySources: [...sources] };
  const drift = vanished(replica, sources);
  await pass.append([
    absenceByKey(pass),
    fact(backend, replica, 'absence-confirmed', proof),
    ...(drift ? [fact(backend, replica, 'drifted', drift)] : []),
  ]);
  return pass.soon;
}

const absenceByKey = (pass: Pass): NewEvent =>
  fact(pass.backend, pass.replica, 'absence-observed', { by: 'key', inventoryRows: null });

function diagnosed(pass: Pass, { boundary, class: errorClass, detail, remedy }: Diagnosis): NewEvent {
  return fact(pass.backend, pass.replica, 'diagnosed', { boundary, class: errorClass, detail, remedy });
}

function observed(pass: Pass, seen: Observation): NewEvent {
  const { phase, url, providerId, price, detail } = seen;
  return fact(pass.backend, pass.replica, 'observed', { phase, url, providerId, price, class: seen.class, detail });
}

function differs({ resource, price }: ReplicaState, seen: Observation): boolean {
  if (!resource) return true;
  if (
    seen.price &&
    (!price || compareAmounts(price.amount, seen.price.amount) !== 0 || price.kind !== seen.price.kind)
  ) {
    return true;
  }
  return (
    resource.phase !== seen.phase ||
    resource.url !== seen.url ||
    resource.providerId !== seen.providerId ||
    resource.class !== seen.class ||
    resource.detail !== seen.detail.slice(0, 2_000)
  );
}

/** `dv-k3fqa-…` → `dv-k3fqa-`: what all names of this installation begin with. */
const keyPrefix = (externalKey: string): string => externalKey.slice(0, externalKey.lastIndexOf('-') + 1);
