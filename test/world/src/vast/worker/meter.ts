import { type Cloud } from '../../cloud/cloud.js';
import { GPU_TYPES, gpuByName } from '../../cloud/gpus.js';
import { marketMachine, storageHourly } from '../../cloud/marketplace.js';
import { BILLED_AS, type BillingClass, type Worker } from '../entities.js';
import { type VastStore } from '../store.js';

/** One stretch of time in which a worker was charged for the same things. USD an hour. */
export interface Charge {
  readonly workerId: number;
  readonly groupId: number;
  readonly endpointId: number;
  readonly templateId: number;
  readonly gpuPerHour: number;
  readonly diskPerHour: number;
  readonly fromMs: number;
  toMs: number | null;
}

/** USD of one stretch, up to now while it is open, within bounds. */
export function amountOf(charge: Charge, nowMs: number, fromMs = 0, untilMs = Infinity): { gpu: number; disk: number } {
  const begin = Math.max(charge.fromMs, fromMs);
  const end = Math.min(charge.toMs ?? nowMs, untilMs);
  const hours = Math.max(0, end - begin) / 3_600_000;
  return { gpu: hours * charge.gpuPerHour, disk: hours * charge.diskPerHour };
}

/** What every worker costs by the class of its state: GPU with disk, disk alone, nothing. */
export class Meter {
  readonly charges: Charge[] = [];
  private readonly open = new Map<number, Charge>();

  constructor(
    private readonly store: VastStore,
    private readonly cloud: Cloud,
  ) {}

  /** From now on the worker is charged by its present status. */
  enter(worker: Worker): void {
    const billedAs = BILLED_AS[worker.status];
    if (billedAs !== 'as-before') worker.billedAs = billedAs;
    this.charge(worker);
  }

  /** The worker is charged no longer. */
  end(worker: Worker): void {
    this.close(worker.id);
  }

  /** USD so far, of everything or of what a test picks. */
  total(counts: (charge: Charge) => boolean = () => true): number {
    const nowMs = this.store.clock.nowMs();
    let total = 0;
    for (const charge of this.charges) {
      if (!counts(charge)) continue;
      const { gpu, disk } = amountOf(charge, nowMs);
      total += gpu + disk;
    }
    return total;
  }

  private charge(worker: Worker): void {
    const { machine } = worker;
    if (!machine) return;
    const { gpuPerHour, diskPerHour } = ratesOf(worker);
    const rates = chargedRates(worker.billedAs, gpuPerHour, diskPerHour);
    this.cloud.billAt(machine, rates.gpuPerHour + rates.diskPerHour);
    const before = this.open.get(worker.id);
    const isSame = before?.gpuPerHour === rates.gpuPerHour && before.diskPerHour === rates.diskPerHour;
    if (isSame && before.templateId === worker.template.id) return;
    this.close(worker.id);
    if (worker.billedAs === 'none') return;
    const { id: workerId, groupId, endpointId, template } = worker;
    const fromMs = this.store.clock.nowMs();
    const charge: Charge = { workerId, groupId, endpointId, templateId: template.id, ...rates, fromMs, toMs: null };
    this.open.set(workerId, charge);
    this.charges.push(charge);
  }

  private close(workerId: number): void {
    const charge = this.open.get(workerId);
    if (charge) charge.toMs = this.store.clock.nowMs();
    this.open.delete(workerId);
  }
}

interface Rates {
  readonly gpuPerHour: number;
  readonly diskPerHour: number;
}

function chargedRates(billedAs: BillingClass, gpuPerHour: number, diskPerHour: number): Rates {
  if (billedAs === 'gpu') return { gpuPerHour, diskPerHour };
  return { gpuPerHour: 0, diskPerHour: billedAs === 'storage' ? diskPerHour : 0 };
}

const DEFAULT_DISK_GB = 8;

/** What a worker costs an hour when it is charged in full. */
export function ratesOf({ machine, template }: Worker): Rates {
  if (!machine) return { gpuPerHour: 0, diskPerHour: 0 };
  const wanted = template.fields['recommended_disk_space'];
  const gpu = gpuByName(machine.accelerator);
  const offer = marketMachine(gpu ? GPU_TYPES.indexOf(gpu) : 0, 0);
  const diskPerHour = storageHourly(offer, typeof wanted === 'number' ? wanted : DEFAULT_DISK_GB);
  return { gpuPerHour: machine.pricePerHour, diskPerHour };
}
