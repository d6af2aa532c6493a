import type { DeploymentSpec, HourlyPrice, Placement, SpendLimits, StockSignal } from '@davit/contracts';
import { deploymentAccount, judgeable } from '../budget/account.js';
import { budgetRoom } from '../budget/room.js';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import { type Meter, heldOn } from '../lifecycle/meter.js';
import { type DeploymentState, type ReplicaState, isLive } from '../lifecycle/state.js';
import { compareAmounts, subtractAmounts } from '../money.js';
import { type Elastic, offerKeysOf, questionAbout, questionOf } from '../placement/ask.js';
import type { BudgetRoom, Money } from '../placement/limits.js';
import { offerKeyOf } from '../placement/offer.js';
import type { PlacementQuestion } from '../placement/question.js';
import type { Past } from './past.js';

/** What is rented by replicas that go a way of their own. */
export type FreeRent = { readonly placement: Placement; readonly price: HourlyPrice | null; readonly meter: Meter };

export type Scene = {
  readonly past: Past;
  /** Documents are taken as of here. */
  readonly position: number;
  readonly nowMs: number;
  readonly fromMs: number;
  readonly deployment: DeploymentState | undefined;
  readonly compute: Elastic;
  readonly budget: SpendLimits | null;
  /** Real replicas whose slots are in step, those that are gone too: what they cost counts. */
  readonly inStep: readonly ReplicaState[];
  readonly free: readonly FreeRent[];
  readonly latest: (offer: string) => StockSignal | undefined;
  /** First prices of replicas that go a way of their own. */
  readonly firstPrices: ReadonlyMap<string, HourlyPrice>;
};

/** The question that a real replica asked, about the candidates and with the neighbours of the replay. */
export function questionInStep(scene: Scene, replica: ReplicaState, deployment: DeploymentState): PlacementQuestion {
  const { compute, inStep, free, nowMs, latest } = scene;
  const asked = (deployment.revisions[replica.revision] ?? deployment.spec).spec.compute;
  const siblings = inStep.filter(({ id, status }) => id !== replica.id && status !== 'deleted');
  const view = { siblings, offers: offersOf(scene), budgets: roomsOf(scene) };
  const question = questionOf(replica, deployment, compute, view, nowMs);
  return {
    ...question,
    // What the replica itself was told counts for what it asked; for other offers, what was said last to anybody.
    candidates: question.candidates.map((candidate) => {
      const offer = offerKeyOf(candidate.placement);
      const rung = rungOf(asked, offer);
      return { ...candidate, signal: rung === -1 ? latest(offer) : replica.assessments[rung] };
    }),
    neighbours: [...question.neighbours, ...free.map(({ placement }) => placement)],
  };
}

/** The question of a replica that goes a way of its own. */
export function questionOfItsOwn(scene: Scene): PlacementQuestion {
  const { compute, deployment, inStep, free, nowMs, latest, firstPrices } = scene;
  const revision = deployment?.revision ?? 1;
  const about = questionAbout(compute, deployment, revision, offersOf(scene), (rung) => {
    const placement = compute.placements[rung];
    return placement && latest(offerKeyOf(placement));
  });
  const beside = inStep.flatMap((one) =>
    one.revision === revision && isLive(one) && one.placement ? [one.placement] : [],
  );
  return {
    ...about,
    candidates: about.candidates.map((candidate) => ({
      ...candidate,
      firstPrice: candidate.firstPrice ?? firstPrices.get(offerKeyOf(candidate.placement)) ?? null,
    })),
    neighbours: [...beside, ...free.map(({ placement }) => placement)],
    ahead: 0,
    budgets: roomsOf(scene),
    nowMs,
  };
}

const rungOf = (compute: DeploymentSpec['compute'], offer: string): number =>
  compute.mode === 'elastic' ? compute.placements.findIndex((placement) => offerKeyOf(placement) === offer) : -1;

function offersOf({ past, compute, position }: Scene): ReadonlyMap<string, OfferState> {
  const keys = offerKeysOf(compute);
  return new Map(
    keys.flatMap((key) => {
      const offer = past.offerAt(key, position);
      return offer ? [[key, offer] as const] : [];
    }),
  );
}

function roomsOf(scene: Scene): readonly BudgetRoom[] {
  const { budget, deployment, inStep, free, nowMs, fromMs } = scene;
  if (!budget) return [];
  const account = deployment
    ? deploymentAccount(withBudget(deployment, budget), inStep)
    : {
        of: 'deployment' as const,
        name: '(replayed)',
        limits: budget,
        since: new Date(fromMs).toISOString(),
        replicas: [],
        active: new Map(),
      };
  if (!account) return [];
  const room = budgetRoom(account, nowMs);
  // As machines that are real count: at the ceiling of their placement while nobody said a price.
  const meters = free.flatMap(({ meter, placement }) => judgeable(meter, placement, budget.currency) ?? []);
  const held = heldOn(meters, 0, nowMs);
  const spent = held.amounts.find(({ currency }) => currency === budget.currency)?.amount ?? '0';
  const rates = meters.map((meter) => meter.rates.at(-1)?.price?.amount ?? null);
  return [
    {
      ...room,
      why:
        free.length === 0
          ? room.why
          : `${room.why}; ${freeWords(free.length, rates.filter((rate) => rate === null).length)}`,
      hourlyLeft: rates.reduce(less, room.hourlyLeft),
      totalLeft: held.unpricedMs > 0 ? less(room.totalLeft, null) : less(room.totalLeft, spent),
    },
  ];
}

/** What replicas on their own way take of it. */
const freeWords = (all: number, unpriced: number): string =>
  `${all} of the replay run on their own way${unpriced === 0 ? '' : `, ${unpriced} of them at a price that nobody said: so what is left is not known either, and counts as nothing`}`;

/** What is left; nothing where it is not known what is taken. */
function less(left: Money | null, taken: string | null): Money | null {
  if (left === null) return null;
  const isMore = taken !== null && compareAmounts(left.amount, taken) > 0;
  return { ...left, amount: isMore ? subtractAmounts(left.amount, taken) : '0' };
}

const withBudget = (deployment: DeploymentState, budget: SpendLimits): DeploymentState => ({
  ...deployment,
  spec: { ...deployment.spec, spec: { ...deployment.spec.spec, budget } },
});
