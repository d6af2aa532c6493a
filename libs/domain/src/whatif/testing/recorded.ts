import { type DeploymentSpec, type StockState, stream } from '@davit/contracts';
import { budgetRoom } from '../../budget/room.js';
import { decideDeployment } from '../../converge/decide.js';
import { declare } from '../../deployment/declare.js';
import { type OfferState, evolveOffer, offerRefOf } from '../../lifecycle/evolve-offer.js';
import type { ReplicaState } from '../../lifecycle/state.js';
import { DEFAULT_LOSS_LIMITS } from '../../fleet/limits.js';
import { offerKeyOf } from '../../placement/offer.js';
import { DEFAULT_REPLICA_TIMINGS, decideReplica } from '../../replica/decide.js';
import { decideRoutes } from '../../route/decide.js';
import { INTENT, KEY } from '../../testing/fleet.js';
import { History, exampleDeployment } from '../../testing/history.js';

export const SIGNAL_LIFETIME_MS = 45_000;

export type Answer = { readonly state: StockState; readonly price: string | null };

/** A recorded run of one deployment, with everything its placements rest on: advice, refusals, budgets, neighbours. */
export class Recorded extends History {
  private readonly offers = new Map<string, OfferState>();

  declare(change: Partial<DeploymentSpec> = {}): this {
    const before = this.events.some(({ stream: name }) => name === stream.deployment(KEY))
      ? this.deployment(KEY)
      : undefined;
    const outcome = declare(before, specOf(change), INTENT);
    if (outcome.outcome === 'accepted') for (const event of outcome.events) this.append(stream.deployment(KEY), event);
    return this.settle();
  }

  override append(...given: Parameters<History['append']>): this {
    super.append(...given);
    const event = this.events.at(-1);
    const key = event && offerRefOf(event);
    const next = key === undefined || !event ? undefined : evolveOffer(this.offers.get(key), event);
    if (key !== undefined && next) this.offers.set(key, next);
    return this;
  }

  /** Each replica that looks is told that nothing is there, and what stock there is, rung by rung; null: nobody answers. */
  answer(answers: readonly (Answer | null)[]): this {
    for (const replica of this.waiting()) {
      const { externalKey, id, discovery } = replica;
      if (discovery.outcome === 'pending')
        this.given(stream.resource(externalKey), 'davit.resource.discovered', {
          ...ownerOf(replica),
          attempt: discovery.attempt,
          outcome: 'absent',
          detail: '',
        });
      const { compute } = (this.deployment(KEY).revisions[replica.revision] ?? this.deployment(KEY).spec).spec;
      if (compute.mode !== 'elastic') continue;
      compute.placements.forEach((placement, rung) => {
        const answer = answers[rung % answers.length];
        if (!answer) return;
        const attempt = discovery.attempt;
        const signal = this.signal(answer);
        const name = `capacity/${offerKeyOf(placement)}`;
        this.given(name, 'davit.capacity.assessed', { replicaId: id, attempt, rung, placement, signal });
      });
    }
    return this.settle();
  }

  /** What is asked on a schedule, of an offer that this deployment may not even allow. */
  sample(placement: Parameters<typeof offerKeyOf>[0], answer: Answer): this {
    const signal = this.signal(answer);
    return this.given(`capacity/${offerKeyOf(placement)}`, 'davit.capacity.sampled', {
      placement: { ...placement, maxHourlyPrice: null },
      signal,
    });
  }

  /** The launch of each replica that asked for one goes as said. */
  launch(outcome: 'refused' | 'served'): this {
    for (const replica of this.replicasOf(KEY)) {
      if (replica.status !== 'launching' || replica.launch?.outcome !== 'requested') continue;
      const name = stream.resource(replica.externalKey);
      const owner = ownerOf(replica);
      const { attempt } = replica.launch;
      this.given(name, 'davit.resource.launch-attempted', { ...owner, attempt, placement: null, leaseEpoch: 1 });
      if (outcome === 'refused') {
        this.given(name, 'davit.resource.launch-refused', {
          ...owner,
          attempt,
          class: 'capacity',
          detail: 'none left',
        });
        continue;
      }
      this.given(name, 'davit.resource.launch-accepted', { ...owner, attempt, handle: null, resolvedBy: 'reply' });
      this.later(120_000);
      const url = 'http://127.0.0.1:9000';
      const evidence = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
      const ready = { replicaId: replica.id, url, servedModel: 'qwen', evidence };
      this.given(stream.runtime(replica.id), 'davit.runtime.became-ready', ready);
    }
    return this.settle();
  }

  proveGone(): this {
    for (const replica of this.replicasOf(KEY)) {
      if (replica.status !== 'deleting') continue;
      const name = stream.resource(replica.externalKey);
      const owner = ownerOf(replica);
      const observedAt = ['key', 'inventory'].map((by) => {
        const seen = { ...owner, by: by as 'key' | 'inventory', inventoryRows: by === 'key' ? null : 0 }; // one of the two above
        this.later(1_000).given(name, 'davit.resource.absence-observed', seen);
        return new Date(this.nowMs).toISOString();
      });
      this.given(name, 'davit.resource.absence-confirmed', { ...owner, observedAt, inventoryRows: 0 });
    }
    return this.settle();
  }

  settle(): this {
    for (let pass = 0; pass < 60; pass++) {
      const before = this.events.length;
      this.apply(
        decideDeployment(this.deployment(KEY), this.replicasOf(KEY), this.nowMs, 'test', this.budgetsOf(KEY)).writes,
      );
      for (const { id } of this.replicasOf(KEY)) this.decide(id);
      const owner = this.deployment(KEY);
      const candidates = this.replicasOf(KEY).map((replica) => ({ replica, deployment: owner }));
      this.apply(decideRoutes(KEY, this.route(KEY), candidates).writes);
      if (this.events.length === before) return this;
    }
    throw new Error('the deciders never come to rest');
  }

  private decide(id: string): void {
    const siblings = this.replicasOf(KEY).filter((other) => other.id !== id);
    const budgets = this.budgetsOf(KEY).map((account) => budgetRoom(account, this.nowMs));
    const fleet = { state: this.fleet(), suspects: this.suspects(), observerIll: false, limits: DEFAULT_LOSS_LIMITS };
    const view = { siblings, offers: this.offers, budgets };
    const { writes } = decideReplica(
      this.replica(id),
      this.deployment(KEY),
      this.nowMs,
      DEFAULT_REPLICA_TIMINGS,
      fleet,
      view,
    );
    this.apply(writes);
  }

  private waiting(): readonly ReplicaState[] {
    return this.replicasOf(KEY).filter(({ status }) => status === 'requested');
  }

  private signal({ state, price }: Answer) {
    const observedAt = new Date(this.nowMs).toISOString();
    const quoted = { currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod', observedAt } as const;
    return {
      state,
      source: 'runpod',
      scope: 'global' as const,
      level: null,
      observedAt,
      expiresAt: new Date(this.nowMs + SIGNAL_LIFETIME_MS).toISOString(),
      price: price === null ? null : { amount: price, ...quoted },
      detail: '',
      permanent: false,
    };
  }
}

const ownerOf = ({ externalKey, id }: ReplicaState) => ({ externalKey, replicaId: id, adapter: 'skypilot' });

/** The usual specification with other parts. */
export function specOf(change: Partial<DeploymentSpec> = {}) {
  const example = exampleDeployment({ replicas: 2 });
  return { ...example, spec: { ...example.spec, ...change } };
}
