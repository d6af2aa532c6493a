import type { Look, SeenWorker, WorkersRevision } from './look.js';

/** Which worker stood behind an address, and what it ran. */
export interface Identified {
  readonly workerId: number;
  readonly revision: WorkersRevision;
}

/** What was seen of an endpoint's workers, over time. Looks are added in order; a look that failed leaves no trace. */
export class History {
  private readonly kept: Look[] = [];

  add(look: Look): void {
    this.kept.push(look);
  }

  get looks(): readonly Look[] {
    return this.kept;
  }

  /** The last look at or before an instant. */
  before(atMs: number): Look | undefined {
    return this.kept[this.firstAfter(atMs) - 1];
  }

  within(fromMs: number, toMs: number): readonly Look[] {
    return this.kept.slice(this.firstAfter(fromMs - 1), this.firstAfter(toMs));
  }

  /**
   * The worker at an address between two instants; null where no look tells. Addresses are used again after their worker, so
   * the looks nearest to the instants count.
   */
  identify(workerUrl: string, sentAtMs: number, endedAtMs: number): Identified | null {
    const address = addressOf(workerUrl);
    if (address === null) return null;
    const at = this.firstAfter(sentAtMs);
    const earlier = lastOf(this.kept, at, address);
    const later = this.kept
      .slice(this.firstAfter(endedAtMs - 1))
      .find((look) => byAddress(look, address) !== undefined);
    const worker = earlier ?? (later && byAddress(later, address));
    if (worker === undefined) return null;
    const [was, is] = [this.kept[at - 1], this.kept[this.firstAfter(endedAtMs - 1)]];
    return { workerId: worker.id, revision: agreed(byId(was, worker.id), byId(is, worker.id)) };
  }

  /** Index of the first look after an instant. */
  private firstAfter(atMs: number): number {
    let [low, high] = [0, this.kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.kept[middle]?.atMs ?? Infinity) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * What a worker ran when it was asked, by the looks before and after. A model does not change under a request, and a change
 * takes longer than two looks are apart: one look is enough where the other does not know. Two that differ leave it open.
 */
function agreed(was: SeenWorker | undefined, is: SeenWorker | undefined): WorkersRevision {
  if (was === undefined) return is?.revision ?? null;
  if (was.revision === null || is === undefined || is.revision === null) return was.revision;
  return was.revision === is.revision ? was.revision : null;
}

const byId = (look: Look | undefined, id: number): SeenWorker | undefined =>
  look?.workers.find((worker) => worker.id === id);

const byAddress = (look: Look, address: string): SeenWorker | undefined =>
  look.workers.find(({ addresses }) => addresses.includes(address));

function lastOf(looks: readonly Look[], end: number, address: string): SeenWorker | undefined {
  for (let at = end - 1; at >= 0; at--) {
    const look = looks[at];
    const worker = look && byAddress(look, address);
    if (worker) return worker;
  }
  return undefined;
}

function addressOf(workerUrl: string): string | null {
  try {
    const { hostname, port, protocol } = new URL(workerUrl);
    return `${hostname.replace(/^\[|\]$/g, '')}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
  } catch {
    return null;
  }
}
