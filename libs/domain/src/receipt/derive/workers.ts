import type { RecordedEvent } from '@davit/contracts';
import type { WorkerStep } from '../receipt.js';
import { citedOf } from './cited.js';

/** What was seen of each worker of production, change by change. */
export function workerSteps(events: readonly RecordedEvent[]): readonly WorkerStep[] {
  return events.flatMap((event): WorkerStep[] => {
    if (event.type === 'davit.rollout.worker-gone') {
      const gone = { status: 'gone', on: null, by: 'listing', inFlight: null };
      return [{ ...citedOf(event), workerId: event.data.workerId, ...gone }];
    }
    if (event.type !== 'davit.rollout.worker-observed') return [];
    const { worker, evidence, inFlight } = event.data;
    const { workerId, status, on } = worker;
    return [{ ...citedOf(event), workerId, status, on, by: evidence, inFlight }];
  });
}
