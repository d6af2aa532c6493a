import { type StockSignal, stream } from '@davit/contracts';
import { decideDeployment } from '../converge/decide.js';
import { type Accepted, type Refused, declare } from '../deployment/declare.js';
import { cancelRollout, requestDeletion, requestRetry } from '../deployment/orders.js';
import { pause, resume } from '../deployment/pause.js';
import { scale } from '../deployment/scale.js';
import { DEFAULT_LOSS_LIMITS } from '../fleet/limits.js';
import type { DeploymentState } from '../lifecycle/state.js';
import { offerKeyOf } from '../placement/offer.js';
import { DEFAULT_REPLICA_TIMINGS, decideReplica } from '../replica/decide.js';
import { decideRoutes } from '../route/decide.js';
import { History, exampleDeployment } from './history.js';

export const KEY = 'default/qwen';
export const INTENT = '00000000-0000-7000-8000-00000000aaaa';

/** One deployment with orchestrator's and router-registry's deciders; what others report is given. */
export class Fleet extends History {
  declare(changes: Parameters<typeof exampleDeployment>[0] = {}): this {
    const before = this.events.some(({ stream: name }) => name === stream.deployment(KEY))
      ? this.deployment(KEY)
      : undefined;
    const outcome = declare(before, exampleDeployment(changes), INTENT);
    if (outcome.outcome !== 'accepted') throw new Error(outcome.detail);
    for (const event of outcome.events) this.append(stream.deployment(KEY), event);
    return this;
  }
  remove(): this {
    this.order(requestDeletion);
    return this;
  }
  cancel(): Accepted | Refused {
    return this.order(cancelRollout);
  }
  scale(replicas: number): Accepted | Refused {
    return this.order((state, intent) => scale(state, replicas, intent));
  }
  pause(reason = 'a look at the nodes'): Accepted | Refused {
    return this.order((state, intent) => pause(state, reason, intent));
  }
  resume(): Accepted | Refused {
    return this.order(resume);
  }
  retry(): Accepted | Refused {
    return this.order(requestRetry);
  }
  /** What a user asks for; a refusal changes nothing. */
  private order(decide: (state: DeploymentState, intentId: string) => Accepted | Refused): Accepted | Refused {
    const outcome = decide(this.deployment(KEY), INTENT);
    if (outcome.outcome === 'accepted') for (const event of outcome.events) this.append(stream.deployment(KEY), event);
    return outcome;
  }
  /** Lets orchestrator and router-registry decide until neither has anything to do. */
  settle(): this {
    for (let pass = 0; pass < 50; pass++) {
      const before = this.events.length;
      const budgets = this.budgetsOf(KEY);
      this.apply(decideDeployment(this.deployment(KEY), this.replicasOf(KEY), this.nowMs, 'test', budgets).writes);
      for (const replica of this.replicasOf(KEY)) {
        const view = {
          state: this.fleet(),
          suspects: this.suspects(),
          observerIll: false,
          limits: DEFAULT_LOSS_LIMITS,
        };
        const present = this.replica(replica.id);
        const deployment = this.deployment(KEY);
        const places = this.placementView(present);
        this.apply(decideReplica(present, deployment, this.nowMs, DEFAULT_REPLICA_TIMINGS, view, places).writes);
      }
      const owner = this.deployment(KEY);
      const candidates = this.replicasOf(KEY).map((replica) => ({ replica, deployment: owner }));
      this.apply(decideRoutes(KEY, this.route(KEY), candidates).writes);
      if (this.events.length === before) return this;
    }
    throw new Error('the deciders never come to rest');
  }
  /** Its agent finds nothing, and each rung gets the signal that an advisor gives it; undefined for no answer. */
  advise(id: string, signalOf: (rung: number) => StockSignal | undefined): this {
    const { externalKey, discovery, revision } = this.replica(id);
    const { attempt } = discovery;
    const found = { externalKey, replicaId: id, adapter: 'skypilot', attempt, outcome: 'absent', detail: '' } as const;
    this.given(stream.resource(externalKey), 'davit.resource.discovered', found);
    const { compute } = (this.deployment(KEY).revisions[revision] ?? this.deployment(KEY).spec).spec;
    const placements = compute.mode === 'elastic' ? compute.placements : [];
    for (const [rung, placement] of placements.entries()) {
      const signal = signalOf(rung);
      if (!signal) continue;
      const name = stream.capacity(offerKeyOf(placement));
      this.given(name, 'davit.capacity.assessed', { replicaId: id, attempt, rung, placement, signal });
    }
    return this;
  }
  /** The launch is accepted, and nothing more is seen of it yet. */
  launch(id: string): this {
    const { externalKey } = this.replica(id);
    const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
    const name = stream.resource(externalKey);
    this.given(name, 'davit.resource.discovered', { ...owner, attempt: 1, outcome: 'present', detail: '' }).settle();
    this.given(name, 'davit.resource.launch-attempted', { ...owner, attempt: 1, placement: null, leaseEpoch: 1 });
    this.given(name, 'davit.resource.launch-accepted', { ...owner, attempt: 1, handle: null, resolvedBy: 'reply' });
    return this;
  }
  /** What its provider shows of it. */
  observe(id: string, phase: 'provisioning' | 'up' | 'failed' | 'unknown', url: string | null = null): this {
    const { externalKey } = this.replica(id);
    const facts = { phase, url, providerId: 'x', price: null, class: null, detail: '' };
    const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
    return this.given(stream.resource(externalKey), 'davit.resource.observed', { ...owner, ...facts });
  }
  /** Its provider says what it charges for it. */
  bill(id: string, amount: string, currency = 'USD'): this {
    const { externalKey, resource } = this.replica(id);
    const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
    const observedAt = new Date(this.nowMs).toISOString();
    const price = { amount, currency, unit: 'instance-hour', kind: 'billed', source: 'runpod-v2', observedAt } as const;
    const facts = { phase: 'up', url: resource?.url ?? null, providerId: 'x', price, class: null, detail: '' } as const;
    return this.given(stream.resource(externalKey), 'davit.resource.observed', { ...owner, ...facts });
  }
  /** What agent, advisor and prober would report of a launch that works. */
  bringUp(id: string): this {
    const { externalKey } = this.replica(id);
    const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
    const name = stream.resource(externalKey);
    const url = `http://127.0.0.1:9${this.events.length}`;
    this.given(name, 'davit.resource.discovered', { ...owner, attempt: 1, outcome: 'present', detail: '' }).settle();
    this.given(name, 'davit.resource.launch-accepted', { ...owner, attempt: 1, handle: null, resolvedBy: 'discovery' });
    this.given(name, 'davit.resource.observed', {
      ...owner,
      phase: 'up',
      url,
      providerId: 'x',
      price: null,
      class: null,
      detail: '',
    });
    const evidence = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
    this.given(stream.runtime(id), 'davit.runtime.became-ready', { replicaId: id, url, servedModel: 'qwen', evidence });
    return this.settle();
  }
  proveGone(id: string): this {
    const { externalKey } = this.replica(id);
    const at = new Date(this.nowMs).toISOString();
    const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
    this.given(stream.resource(externalKey), 'davit.resource.absence-confirmed', {
      ...owner,
      observedAt: [at, at],
      inventoryRows: 0,
    });
    return this.settle();
  }
  die(id: string): this {
    const url = this.replica(id).runtime?.url ?? 'http://127.0.0.1:1';
    this.given(stream.runtime(id), 'davit.runtime.became-unready', {
      replicaId: id,
      url,
      reason: 'refused',
      detail: 'x',
      consecutiveFailures: 3,
    });
    return this.settle();
  }
  statuses(): Record<string, string> {
    return Object.fromEntries(this.replicasOf(KEY).map(({ id, status }) => [id.slice(KEY.length + 1), status]));
  }
  targets(): string[] {
    return (this.route(KEY)?.targets ?? []).map(({ replica }) => replica.slice(KEY.length + 1));
  }
}
