import type { HourlyPrice } from '@davit/contracts';
import { addAmounts } from '@davit/domain';
import type { InstanceRow } from './api/instances.js';
import { statusOf, type WorkerRow } from './api/workers.js';

/**
 * States in which storage alone is billed, which no row prices, and those that are not billed. In every other state a worker
 * is billed whole. Source: Vast's documentation of worker states and pricing, August 2026.
 */
const STORAGE = new Set(['creating', 'created', 'stopping', 'stopped']);
const NOT_BILLED = new Set(['pending', 'error', 'destroying']);

/**
 * What the workers of an endpoint cost an hour, as their instances are billed. Null while the bill of one of them cannot be
 * told: an unknown price is not zero.
 */
export function priceOf(
  workers: readonly WorkerRow[],
  instances: readonly InstanceRow[],
  nowMs: number,
): HourlyPrice | null {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  let amount = '0';
  for (const worker of workers) {
    const status = statusOf(worker);
    if (STORAGE.has(status) || NOT_BILLED.has(status)) continue;
    const price = byId.get(worker.id)?.dph_total;
    // `rebooting` is billed as the state before it, and what has no name may be billed: both count as running.
    if (price === null || price === undefined) return null;
    amount = addAmounts(amount, price);
  }
  const storageOnly = workers.some((worker) => STORAGE.has(statusOf(worker)));
  return {
    amount,
    currency: 'USD',
    unit: 'instance-hour',
    kind: 'billed',
    source: 'vast instances',
    observedAt: new Date(nowMs).toISOString(),
    storage: storageOnly ? 'excluded' : 'included',
  };
}
