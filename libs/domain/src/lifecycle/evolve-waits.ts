import type { RecordedEvent } from '@davit/contracts';
import { isRefusal } from '../replica/failure.js';
import { withoutKey } from '../without-key.js';
import type { DeploymentState, SlotWait } from './state.js';

type Waits = DeploymentState['waits'];
type Turn = Extract<
  RecordedEvent,
  { type: 'davit.replica.deferred' | 'davit.replica.failed' | 'davit.replica.delete-requested' }
>;

/**
 * A slot waits, for capacity or for room in a budget, from the first time that one of its replicas found no place or was refused, until one is ready,
 * fails for another reason, or is no longer wanted. That a wait goes through many replicas makes it no shorter.
 */
export function evolveWaits(waits: Waits, slot: string, event: Turn): Waits {
  const wait = waits[slot];
  switch (event.type) {
    case 'davit.replica.deferred': {
      const { waitsFor = 'capacity' } = event.data;
      if (wait?.waitsFor === waitsFor) return waits;
      const begun: Omit<SlotWait, 'waitsFor'> = wait ?? { since: event.time, refusals: 0, lastRefused: null };
      return { ...waits, [slot]: { ...begun, waitsFor } };
    }
    case 'davit.replica.failed': {
      const { class: failure, hadServed, placement, replicaId } = event.data;
      if (hadServed || placement === null || !isRefusal(failure)) return withoutKey(waits, slot);
      const next: SlotWait = {
        waitsFor: 'capacity',
        since: wait?.since ?? event.time,
        refusals: (wait?.refusals ?? 0) + 1,
        lastRefused: replicaId,
      };
      return { ...waits, [slot]: next };
    }
    case 'davit.replica.delete-requested':
      return wait?.lastRefused === event.data.replicaId ? waits : withoutKey(waits, slot);
  }
}
