import type { PlanCandidate, StockSignal } from '@davit/contracts';
import {
  type BudgetRoom,
  type DeploymentState,
  type Elastic,
  type Ranking,
  type ReplicaState,
  isLive,
  questionAbout,
  rankPlacements,
} from '@davit/domain';
import type { Known } from './known.js';

/** So many replicas are placed one by one; what holds for the last of them is taken to hold for the rest. */
const PLACED_ONE_BY_ONE = 100;

export interface RankedInput {
  readonly compute: Elastic;
  /** As it would be once the specification is applied. */
  readonly after: DeploymentState | undefined;
  readonly revision: number;
  /** Replicas that are to be placed. */
  readonly count: number;
  readonly signals: ReadonlyMap<number, StockSignal>;
  readonly known: Pick<Known, 'replicas' | 'offers'>;
  readonly rooms: readonly BudgetRoom[];
  readonly nowMs: number;
}

export interface Ranked {
  /** As the last of them would find it. */
  readonly ranking: Ranking;
  /** Where each of them would go, in their order; null: it would wait. */
  readonly places: readonly (number | null)[];
}

/** Asks the policy that places replicas, with the question that each replica would ask. */
export function ranked({ compute, after, revision, count, signals, known, rooms, nowMs }: RankedInput): Ranked {
  const question = {
    ...questionAbout(compute, after, revision, known.offers, (rung) => signals.get(rung)),
    neighbours: liveOf(known.replicas, revision).flatMap(({ placement }) => placement ?? []),
    budgets: rooms,
    nowMs,
  };
  const isAlike = question.spread === null && rooms.length === 0;
  const asked = isAlike ? 1 : Math.min(Math.max(count, 1), PLACED_ONE_BY_ONE);
  const rankings = Array.from({ length: asked }, (_, ahead) => rankPlacements({ ...question, ahead }));
  const last = rankings.at(-1) ?? rankPlacements({ ...question, ahead: 0 });
  const places = Array.from({ length: count }, (_, index) => (rankings[index] ?? last).chosen?.rung ?? null);
  return { ranking: last, places };
}

export const liveOf = (replicas: readonly ReplicaState[], revision: number): readonly ReplicaState[] =>
  replicas.filter((replica) => replica.revision === revision && isLive(replica));

export const candidatesOf = (
  { candidates }: Ranking,
  signals: ReadonlyMap<number, StockSignal>,
  nowMs: number,
): PlanCandidate[] =>
  candidates.map(({ rung, placement, stock, verdict, reason, confidence, price, scores }) => ({
    rung,
    placement,
    signal: { ...(signals.get(rung) ?? silence(nowMs)), state: stock.state },
    verdict,
    reason,
    ageMs: stock.ageMs,
    confidence,
    price,
    scores: { ...scores },
  }));

/** A rung of which nothing was heard: unknown, which is neither empty nor full. */
const silence = (nowMs: number): StockSignal => ({
  state: 'unknown',
  source: 'none',
  scope: 'none',
  level: null,
  observedAt: new Date(nowMs).toISOString(),
  expiresAt: new Date(nowMs).toISOString(),
  price: null,
  detail: 'no advice',
  permanent: false,
});

/** How many go where, in the order in which they would be placed. */
export function tally(
  places: readonly (number | null)[],
): { readonly rung: number | null; readonly replicas: number }[] {
  const counts = new Map<number | null, number>();
  for (const rung of places) counts.set(rung, (counts.get(rung) ?? 0) + 1);
  return [...counts].map(([rung, replicas]) => ({ rung, replicas }));
}
