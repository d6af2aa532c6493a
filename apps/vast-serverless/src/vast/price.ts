import type { HourlyPrice } from '@davit/contracts';
import { addAmounts, compareAmounts, subtractAmounts } from '@davit/domain';
import type { InstanceRow } from './api/instances.js';
import { statusOf, type WorkerRow } from './api/workers.js';

/**
 * States in which storage alone is billed, and those that are not billed. In every other state a worker is billed whole. Source: Vast's documentation of worker states and pricing, August 2026.
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
  let isWhole = true;
  for (const worker of workers) {
    const status = statusOf(worker);
    if (NOT_BILLED.has(status)) continue;
    const instance = byId.get(worker.id);
    // `rebooting` is billed as the state before it, and what has no name may be billed: both count as running.
    const price = STORAGE.has(status) ? storageOf(instance) : instance?.dph_total;
    if (price === null || price === undefined) {
      if (!STORAGE.has(status)) return null;
      isWhole = false;
    } else amount = addAmounts(amount, price);
  }
  return {
    amount,
    currency: 'USD',
    unit: 'instance-hour',
    kind: 'billed',
    source: 'vast instances',
    observedAt: new Date(nowMs).toISOString(),
    storage: isWhole ? 'included' : 'excluded',
  };
}

/** What the disk costs an hour: the whole less the machine; null where the instance does not say both. */
function storageOf(instance: InstanceRow | undefined): string | null {
  const { dph_total: whole = null, dph_base: machine = null } = instance ?? {};
  return whole !== null && machine !== null && compareAmounts(whole, machine) >= 0
    ? subtractAmounts(whole, machine)
    : null;
}
