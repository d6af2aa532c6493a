import { type Defects } from '../defects.js';
import { type Template, type Worker, type Workergroup } from '../entities.js';
import { type VastOptions } from '../options.js';
import { type VastStore } from '../store.js';
import { type WorkerLife } from '../worker/life.js';

export interface RolloutParts {
  readonly store: VastStore;
  readonly defects: Defects;
  readonly options: VastOptions;
  readonly life: WorkerLife;
}

/** One rolling update of a workergroup. */
interface Round {
  readonly group: Workergroup;
  readonly template: Template;
  /** Workers that are updated though they have the template. */
  readonly forced: ReadonlySet<number>;
  /** Workers whose turn has come. */
  readonly begun: Set<number>;
}

const AT_REST: ReadonlySet<string> = new Set(['stopped', 'update_ready', 'error']);

/** Rolling updates: inactive workers first, all at once; then the active ones, drained a few at a time. */
export class Rollouts {
  private readonly rounds = new Map<number, Round>();
  private waiting: (() => void)[] = [];

  constructor(private readonly parts: RolloutParts) {}

  /** Begins an update to a template; it ends an earlier one of the group. Says how many workers are to be updated. */
  start(group: Workergroup, template: Template, forced: readonly Worker[] = []): number {
    this.cancel(group);
    const round = { group, template, forced: new Set(forced.map(({ id }) => id)), begun: new Set<number>() };
    this.rounds.set(group.id, round);
    const count = this.targets(round).length;
    void this.run(round);
    return count;
  }

  isRunning(groupId: number): boolean {
    return this.rounds.has(groupId);
  }

  /** The template that the group is being brought to. */
  targetOf(groupId: number): Template | undefined {
    return this.rounds.get(groupId)?.template;
  }

  /** Workers that have not begun to reboot stay, or return to serving; the others run on. */
  cancel(group: Workergroup): void {
    this.rounds.delete(group.id);
    for (const worker of this.parts.store.workersOf({ groupId: group.id })) {
      if (worker.status === 'idle' || worker.status === 'stopped' || worker.status === 'update_ready')
        this.parts.life.backToIdle(worker);
    }
    this.changed();
  }

  /** Something about workers is different now. */
  changed(): void {
    for (const tell of this.waiting.splice(0)) tell();
  }

  private async run(round: Round): Promise<void> {
    const stopped = this.targets(round).filter(({ status }) => status === 'stopped');
    await Promise.all(stopped.map((worker) => this.one(round, worker)));
    const busy = new Set<Worker>();
    while (this.isCurrent(round)) {
      const left = this.targets(round);
      if (left.length === 0 && busy.size === 0) break;
      const next = busy.size < this.parts.options.updateConcurrency ? this.nextOf(round, left) : undefined;
      if (!next) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
        continue;
      }
      busy.add(next);
      void this.one(round, next).finally(() => {
        busy.delete(next);
        this.changed();
      });
    }
    if (this.isCurrent(round)) this.rounds.delete(round.group.id);
    this.changed();
  }

  private async one(round: Round, worker: Worker): Promise<void> {
    const { life, defects } = this.parts;
    round.begun.add(worker.id);
    const stuck = defects.get('stuck-update', { worker, template: round.template });
    if (stuck?.at === 'idle') return;
    worker.updateTarget = round.template;
    if (worker.status === 'idle' && !(await life.drain(worker))) {
      // It went wrong meanwhile; its turn comes again once it serves.
      round.begun.delete(worker.id);
      return;
    }
    if (!stuck) await life.update(worker);
  }

  /** The next worker whose turn it is. The last one that can be routed to waits for another to serve, which is woken if all others sleep. */
  private nextOf({ group }: Round, left: readonly Worker[]): Worker | undefined {
    const stopped = left.find(({ status }) => status === 'stopped');
    if (stopped) return stopped;
    const first = left.find(({ status }) => status === 'idle');
    if (!first) return undefined;
    const others = this.parts.store.workersOf({ groupId: group.id }).filter((worker) => worker !== first);
    const isRoutable = ({ status, draining }: Worker): boolean => status === 'idle' && !draining;
    if (others.length === 0 || others.some(isRoutable)) return first;
    const asleep = others.find(({ status }) => status === 'stopped');
    if (asleep && others.every(({ status }) => AT_REST.has(status))) void this.parts.life.wake(asleep);
    return undefined;
  }

  /** Workers of the group that are still to be updated. */
  private targets({ group, template, forced, begun }: Round): readonly Worker[] {
    return this.parts.store
      .workersOf({ groupId: group.id })
      .filter(({ id, status }) => status !== 'destroying' && !begun.has(id))
      .filter(({ id, template: present }) => forced.has(id) || present.hash !== template.hash);
  }

  private isCurrent(round: Round): boolean {
    return this.rounds.get(round.group.id) === round;
  }
}
