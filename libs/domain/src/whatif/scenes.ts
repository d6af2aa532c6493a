import type { HourlyPrice, NormalisedDeployment, SpendLimits } from '@davit/contracts';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import type { Elastic } from '../placement/ask.js';
import type { Objective, PlacementQuestion } from '../placement/question.js';
import { rankPlacements } from '../placement/rank.js';
import type { Ranking } from '../placement/ranking.js';
import { readyTimeOf } from '../placement/ready-time.js';
import type { Moment, ReadyMs } from './free-slot.js';
import type { Past } from './past.js';
import type { Scene } from './questions.js';
import type { Signals } from './signals.js';
import type { ReplaySlot } from './slot.js';

export type Policy = (question: PlacementQuestion) => Ranking;

export type ReplayOptions = {
  /** What is declared instead; null: what really was declared at each moment, which needs `against`. */
  readonly spec: NormalisedDeployment | null;
  /** Ranks the placements by this instead of what the specification says. */
  readonly objective?: Objective | undefined;
  readonly policy?: Policy;
  readonly fromMs: number;
  readonly toMs: number;
  /** Key of the deployment that it takes the place of; null: it stands beside whatever there was. */
  readonly against: string | null;
  /** Where no start on an offer ever served. */
  readonly assumedReadyMs?: number;
};

export const ASSUMED_READY_MS = 10 * 60_000;

/** What a replay decides on: at any moment, what was really there of slots in step, and what replicas of its own rent. */
export class Scenes {
  private readonly firstPrices = new Map<string, HourlyPrice>();

  constructor(
    private readonly options: ReplayOptions,
    private readonly past: Past,
    private readonly signals: Signals,
    private readonly slots: ReadonlyMap<number, ReplaySlot>,
  ) {}

  /** Undefined where nothing is placed by a policy. */
  at(deployment: DeploymentState | undefined, revision: number, { ms: nowMs, position }: Moment): Scene | undefined {
    const { past, firstPrices, signals } = this;
    const { fromMs } = this.options;
    const spec = (this.options.spec ?? deployment?.revisions[revision] ?? deployment?.spec)?.spec;
    if (spec?.compute.mode !== 'elastic') return undefined;
    const budget: SpendLimits | null = (this.options.spec ?? deployment?.spec)?.spec.budget ?? null;
    const inStep = past.replicasAt(position).filter((replica) => this.isInStep(replica));
    const free = [...this.slots.values()].flatMap((slot) => slot.free?.rent ?? []);
    const compute = this.computeOf(spec.compute);
    const { latest } = signals;
    return { past, position, nowMs, fromMs, deployment, compute, budget, inStep, free, latest, firstPrices };
  }

  rank(question: PlacementQuestion): Ranking {
    return (this.options.policy ?? rankPlacements)(question);
  }

  /** What was chosen tells what is accepted to be paid there from now on. */
  note({ chosen }: Ranking): void {
    if (chosen?.price.status === 'fresh' && chosen.price.price && !this.firstPrices.has(chosen.offerKey))
      this.firstPrices.set(chosen.offerKey, chosen.price.price);
  }

  readyMs(offer: string, position: number): ReadyMs {
    const known = readyTimeOf(this.past.offerAt(offer, position));
    if (known) return { ms: known.medianMs, by: 'history' };
    return { ms: this.options.assumedReadyMs ?? ASSUMED_READY_MS, by: 'assumed' };
  }

  private isInStep({ ordinal, id }: ReplicaState): boolean {
    const slot = this.slots.get(ordinal);
    if (!slot) return false;
    // What a slot had before it went its own way is still there until it is gone.
    return slot.inStep !== null || slot.had(id);
  }

  private computeOf(compute: Elastic): Elastic {
    const { objective } = this.options;
    return objective === undefined ? compute : { ...compute, objective, selection: 'best' };
  }
}
