import { type EventType, type IntentAnswer, streamKeyOf } from '@davit/contracts';
import { StuckError } from '../main-job.js';
import type { Simulation, SpendCeilings } from '../simulation.js';
import type { FrontDoor } from './front-door.js';

export const KEY = 'default/qwen';
const QWEN = { tenant: 'default', name: 'qwen' };
const LIMIT_MS = 3 * 3_600_000;

export interface Changes {
  readonly replicas?: number;
  readonly maxModelLen?: string;
  readonly strategy?: 'surge' | 'in-place';
  readonly startDeadline?: string;
  readonly compute?: object;
  readonly maxFailedStarts?: number;
}

/** What a scenario is played on: the whole system, and one user in front of it. */
export class Stage {
  constructor(
    readonly simulation: Simulation,
    readonly door: FrontDoor,
  ) {}

  get world(): Simulation['world'] {
    return this.simulation.world;
  }

  async apply(changes: Changes = {}): Promise<void> {
    mustBeAccepted(await this.door.ask((handler, origin) => handler.apply(manifest(changes), origin)));
  }
  /** Asks, and takes a refusal as it comes. */
  async tryApply(changes: Changes): Promise<void> {
    await this.door.ask((handler, origin) => handler.apply(manifest(changes), origin));
  }
  /** Deletes what is there, however often that was asked for before. */
  async remove(): Promise<void> {
    await this.door.ask((handler, origin) => handler.delete(QWEN, origin));
  }

  /** Goes back to the revision that serves. */
  async cancel(): Promise<void> {
    await this.door.ask((handler, origin) => handler.cancel(QWEN, origin));
  }
  /** Tries again what was given up. */
  async retry(): Promise<void> {
    await this.door.ask((handler, origin) => handler.retry(QWEN, origin));
  }
  async pause(): Promise<void> {
    await this.door.ask((handler, origin) => handler.pause({ ...QWEN, reason: 'somebody looks at it' }, origin));
  }
  async resume(): Promise<void> {
    await this.door.ask((handler, origin) => handler.resume(QWEN, origin));
  }
  async thaw(): Promise<void> {
    await this.door.ask((handler, origin) => handler.thaw({ reason: 'the deaths are real' }, origin));
  }
  async reap(orphan: string): Promise<void> {
    await this.door.ask((handler, origin) => handler.reap({ orphan, reason: 'nobody needs it' }, origin));
  }

  /** What the tenant's deployments may spend together; null takes the ceilings away. */
  async setBudget(budget: SpendCeilings | null): Promise<void> {
    const { tenant } = QWEN;
    const asked = await this.door.ask((handler, origin) =>
      budget ? handler.setBudget({ tenant, budget }, origin) : handler.clearBudget({ tenant }, origin),
    );
    mustBeAccepted(asked);
  }

  /** Key of the first orphan that was found. */
  async orphanKey(): Promise<string> {
    const found = (await this.simulation.events()).find(({ type }) => type === 'davit.resource.orphan-found');
    if (!found) throw new Error('no orphan was found');
    return streamKeyOf(found.stream);
  }

  /** So many replicas of the revision serve, and so many machines are rented. */
  async converged(replicas: number, revision = 1, rented = replicas): Promise<void> {
    await this.until(`${replicas} replicas of revision ${revision} serve and nothing else is left`, async () => {
      const state = await this.simulation.deployment(KEY);
      return (
        state?.revision === revision &&
        state.activeRevision === revision &&
        state.spec.spec.scaling.replicas === replicas &&
        state.conditions['Progressing']?.reason === 'Converged' &&
        ((await this.simulation.route(KEY))?.targets.length ?? 0) === replicas &&
        this.rented() === rented
      );
    });
  }

  /** The deployment is deleted, and every service knows all of it. */
  async gone(): Promise<void> {
    await this.until('deleted', async () => (await this.simulation.deployment(KEY))?.status === 'deleted');
    await this.until('nothing is rented', () => this.rented() === 0);
    await this.until('caught up', () => this.simulation.caughtUp());
  }

  /** Waits until the log holds at least `count` events of the type. */
  async said(type: EventType, count = 1): Promise<void> {
    let read = 0;
    let seen = 0;
    await this.until(`${count} times ${type}`, async () => {
      const events = await this.simulation.log.read(read, 10_000);
      read += events.length;
      seen += events.filter((event) => event.type === type).length;
      return seen >= count;
    });
  }

  async wait(ms: number): Promise<void> {
    const untilMs = this.simulation.clock.nowMs() + ms;
    let over = false;
    this.simulation.clock.schedule(ms, () => (over = true));
    await this.simulation.runUntil(() => Promise.resolve(over), untilMs);
  }

  /** Waits for what can change only with the log, the documents of a service, or the world's ledger. */
  async until(what: string, done: () => boolean | Promise<boolean>): Promise<void> {
    if (await this.simulation.runUntilState(async () => await done(), LIMIT_MS)) return;
    const state = await this.simulation.deployment(KEY);
    throw new StuckError(`never came true in three hours: ${what}; conditions ${JSON.stringify(state?.conditions)}`);
  }

  /** Machines that Davit asked for. */
  private rented(): number {
    return this.world.cloud.running().filter(({ owner }) => owner.startsWith('sky:')).length;
  }
}

function mustBeAccepted(answer: IntentAnswer): void {
  if (answer.outcome !== 'accepted') throw new Error(`refused: ${answer.detail}`);
}

function manifest(changes: Changes): object {
  const placements = ['L40S:1', 'A100-80GB:1'].map((accelerator) => ({ cloud: 'runpod', accelerator }));
  return {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
      runtime: { engine: 'vllm', version: '0.27.1', args: ['--max-model-len', changes.maxModelLen ?? '16384'] },
      compute: changes.compute ?? { mode: 'elastic', placements },
      scaling: { replicas: changes.replicas ?? 1 },
      readiness: {
        startDeadline: changes.startDeadline ?? '10m',
        ...(changes.maxFailedStarts === undefined ? {} : { maxFailedStarts: changes.maxFailedStarts }),
      },
      rollout: { strategy: changes.strategy ?? 'surge', drainDeadline: '20s' },
    },
  };
}
