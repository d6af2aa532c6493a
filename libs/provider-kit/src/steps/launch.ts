import type { ReconcileResult } from '@davit/reconcile';
import { fact, wishStream } from '../facts.js';
import type { Pass } from '../pass.js';

/** Is there already a thing of this name? Answered before anything is asked for. */
export async function discover(pass: Pass, attempt: number): Promise<ReconcileResult> {
  const { backend, replica, subject } = pass;
  const found = await pass.ask('discover', () => backend.discover(replica.externalKey, subject));
  const { outcome, detail } = found;
  const isNew = replica.discovery.outcome !== outcome;
  if (isNew) await pass.append([fact(backend, replica, 'discovered', { attempt, outcome, detail })]);
  return outcome === 'unknown' ? pass.backOff(replica.discovery.at) : pass.soon;
}

/** Intent, then effect, then outcome (laws 2 and 3), fenced before each (law 7). */
export async function launch(pass: Pass, attempt: number): Promise<ReconcileResult> {
  const { backend, context, replica } = pass;
  if (!(await context.holdsLease())) return pass.soon;
  const { placement } = replica;
  const attempted = fact(backend, replica, 'launch-attempted', { attempt, placement, leaseEpoch: context.epoch });
  // Told to go meanwhile, it is not launched: nobody reckons with a machine for it any more.
  const decided = { stream: wishStream(replica), version: replica.versions.replica };
  if (!(await pass.append([attempted], [decided]))) return pass.soon;
  if (!(await context.holdsLease())) return pass.soon;

  return ensured(pass, attempt, 'reply');
}

/** Has the backend make what was announced, as far as it is not there, and tells what that came to. */
async function ensured(pass: Pass, attempt: number, resolvedBy: 'reply' | 'discovery'): Promise<ReconcileResult> {
  const { backend, context, replica, subject } = pass;
  const { placement } = replica;
  const result = await pass.ask('launch', () => {
    const resolved = pass.resolve();
    return resolved.outcome === 'refused'
      ? Promise.resolve({ outcome: 'refused', class: 'config', detail: resolved.detail } as const)
      : backend.ensure({ ...subject, placement, holdsLease: () => context.holdsLease() });
  });
  switch (result.outcome) {
    case 'accepted':
      await pass.append([fact(backend, replica, 'launch-accepted', { attempt, handle: result.handle, resolvedBy })]);
      break;
    case 'refused':
      await pass.append([
        fact(backend, replica, 'launch-refused', { attempt, class: result.class, detail: result.detail }),
      ]);
      break;
    case 'unknown':
      await pass.append([fact(backend, replica, 'launch-unknown', { attempt, detail: result.detail })]);
  }
  return pass.soon;
}

/** The answer to a launch never came: look, and never launch again. Where it was cut off in the middle, the rest is made. */
export async function resolveLaunch(pass: Pass, attempt: number, giveUp: boolean): Promise<ReconcileResult> {
  const { backend, replica, subject } = pass;
  const found = await pass.ask('discover', () => backend.discover(replica.externalKey, subject));
  switch (found.outcome) {
    case 'present':
      // The rest may be there and not be listed yet.
      if (found.isPartial === true && (!giveUp || !(await pass.context.holdsLease()))) return pass.soon;
      if (found.isPartial === true) return ensured(pass, attempt, 'discovery');
      await pass.append([
        fact(backend, replica, 'launch-accepted', { attempt, handle: found.handle, resolvedBy: 'discovery' }),
      ]);
      return pass.soon;
    case 'absent':
      if (giveUp) {
        const detail = 'the answer to the launch was lost, and nothing of this name has appeared since';
        await pass.append([fact(backend, replica, 'launch-refused', { attempt, class: 'transient', detail })]);
      }
      return pass.soon;
    case 'unknown':
      return pass.backOff(replica.launch?.since ?? null);
  }
}
