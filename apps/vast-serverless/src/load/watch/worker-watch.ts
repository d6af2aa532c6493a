import type { Money } from '@davit/domain';
import { sleep } from '@davit/ports';
import type { InstanceRow } from '../../vast/api/instances.js';
import { join, type JoinedWorker } from '../../vast/joined.js';
import { priceOf } from '../../vast/price.js';
import { unlessAborted } from '../driver/aborted.js';
import type { LoadParts } from '../load-parts.js';
import { History } from './history.js';
import { seen, type WorkersRevision } from './look.js';
import { spendSoFar } from './spend.js';

export interface WatchQuestion {
  readonly endpointId: number;
  /** Which template a worker is on; null where that is not proven. Default: nobody knows. */
  readonly revisionOf?: (worker: JoinedWorker, instance: InstanceRow | null | undefined) => WorkersRevision;
  /** Between two looks at the workers. Default 5 s. */
  readonly everyMs?: number;
  /** Oldest list of instances that is used with one. Default 15 s, and none is used for a worker that it lacks. */
  readonly instancesMs?: number;
}

const EVERY_MS = 5_000;
const INSTANCES_MS = 15_000;

/** Looks at an endpoint's workers while load is sent to it. A list that is not told is unknown, and leaves a gap. */
export class WorkerWatch {
  readonly history = new History();
  private readonly startedMs: number;
  private instances: { readonly atMs: number; readonly rows: readonly InstanceRow[] } | undefined;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly parts: Pick<LoadParts, 'clock' | 'client'>,
    private readonly question: WatchQuestion,
  ) {
    this.startedMs = parts.clock.nowMs();
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await unlessAborted(signal, this.look());
      await sleep(this.parts.clock, this.question.everyMs ?? EVERY_MS, signal);
    }
  }

  /** One look; one that is under way already is shared. */
  look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** What the workers have cost since the watch began. */
  spent(): { readonly spend: Money | null; readonly ageMs: number } {
    return spendSoFar(this.history.looks, this.startedMs, this.parts.clock.nowMs());
  }

  private async lookNow(): Promise<void> {
    const { clock, client } = this.parts;
    const reply = await client.workers.ofEndpoint(this.question.endpointId);
    if (reply.kind !== 'confirmed') return;
    const atMs = clock.nowMs();
    const instances = await this.instancesFor(reply.value.map(({ id }) => id));
    const workers = join(reply.value, instances);
    const price = instances === undefined ? null : priceOf(reply.value, instances, atMs);
    this.history.add({
      atMs,
      workers: workers.map((worker) => seen(worker, this.question.revisionOf?.(worker, worker.instance) ?? null)),
      hourly: price === null ? null : { amount: price.amount, currency: price.currency },
    });
  }

  /** Undefined where they are not told. */
  private async instancesFor(workerIds: readonly number[]): Promise<readonly InstanceRow[] | undefined> {
    const { clock, client } = this.parts;
    const known = this.instances;
    const isFresh = known !== undefined && clock.nowMs() - known.atMs < (this.question.instancesMs ?? INSTANCES_MS);
    if (isFresh && workerIds.every((id) => known.rows.some((row) => row.id === id))) return known.rows;
    const reply = await client.instances.list();
    if (reply.kind !== 'confirmed') return undefined;
    this.instances = { atMs: clock.nowMs(), rows: reply.value };
    return reply.value;
  }
}
