import type { ReconcileResult } from '@davit/reconcile';
import { fact } from '../facts.js';
import type { Pass } from '../pass.js';

/** Asks for the deletion; whether it happened is for {@link lookForAbsence} to find out. */
export async function remove(pass: Pass, attempt: number): Promise<ReconcileResult> {
  const { backend, context, replica, subject } = pass;
  if (!(await context.holdsLease())) return pass.soon;
  if (backend.releases === true) {
    await pass.append([fact(backend, replica, 'released', { detail: 'let go; it was never ours to delete' })]);
    return pass.soon;
  }
  if (!(await pass.append([fact(backend, replica, 'delete-attempted', { attempt, leaseEpoch: context.epoch })]))) {
    return pass.soon;
  }
  if (!(await context.holdsLease())) return pass.soon;
  const result = await pass.ask('delete', () => backend.delete(replica.externalKey, subject));
  const { detail } = result;
  switch (result.outcome) {
    case 'accepted':
      await pass.append([fact(backend, replica, 'delete-accepted', { attempt, detail })]);
      break;
    case 'refused':
      await pass.append([fact(backend, replica, 'delete-refused', { attempt, class: result.class, detail })]);
      break;
    case 'unknown':
      await pass.append([fact(backend, replica, 'delete-unknown', { attempt, detail })]);
  }
  return pass.soon;
}
