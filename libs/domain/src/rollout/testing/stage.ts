import { type RecordedEvent, stream } from '@davit/contracts';
import { decideDeployment } from '../../converge/decide.js';
import { declare } from '../../deployment/declare.js';
import { requestDeletion } from '../../deployment/orders.js';
import { History } from '../../testing/history.js';
import { nextStep } from '../next-step.js';
import { type Verified, begin, beginningOf } from '../start.js';
import type { RolloutState } from '../state.js';
import type { NextStep } from '../step.js';
import { type CandidateChanges, candidate } from './candidate.js';
import { DIGEST, type Fate, OLD, performed } from './performer.js';

export const KEY = 'default/qwen';
export const REPLICA = `${KEY}-1-0-1`;
export const ROLLOUT = `${KEY}-2-1`;
const INTENT = '00000000-0000-7000-8000-00000000aaaa';
const GOOD: Verified = { ok: true, workergroupId: 789, rollback: OLD };

/** A serverless deployment that serves revision 1, its orchestrator, and whoever carries out its rollouts. */
export class RolloutStage extends History {
  /** Revision 1 serves. */
  serving(): this {
    this.declare({ strategy: 'surge' }).settle();
    const { externalKey } = this.replica(REPLICA);
    const owner = { externalKey, replicaId: REPLICA, adapter: 'vast-serverless' };
    const url = 'https://run.vast.ai/route/';
    const facts = { phase: 'up', url, providerId: '1', price: null, class: null, detail: '' } as const;
    this.given(stream.endpoint(externalKey), 'davit.endpoint.observed', { ...owner, ...facts });
    this.given(stream.replica(REPLICA), 'davit.replica.placed', {
      ...{ replicaId: REPLICA, rung: null, placement: null, adopted: true, price: null, evidence: [] },
    });
    this.given(stream.replica(REPLICA), 'davit.replica.launch-requested', {
      replicaId: REPLICA,
      attempt: 1,
      deadlineAt: new Date(this.nowMs + 60_000).toISOString(),
    });
    this.given(stream.replica(REPLICA), 'davit.replica.ready', { replicaId: REPLICA, url, servedModel: 'qwen' });
    const target = { replica: REPLICA, deployment: KEY, revision: 1, url, model: 'qwen' };
    this.given(stream.route(KEY), 'davit.route.registered', { alias: KEY, snapshot: 1, target });
    return this.settle();
  }
  declare(changes: CandidateChanges = {}): this {
    const known = this.events.some(({ stream: name }) => name === stream.deployment(KEY));
    const outcome = declare(known ? this.deployment(KEY) : undefined, candidate(changes), INTENT);
    if (outcome.outcome !== 'accepted') throw new Error(outcome.detail);
    for (const event of outcome.events) this.append(stream.deployment(KEY), event);
    return this;
  }
  remove(): this {
    const outcome = requestDeletion(this.deployment(KEY), INTENT);
    if (outcome.outcome === 'accepted') for (const event of outcome.events) this.append(stream.deployment(KEY), event);
    return this;
  }
  /** Orchestrator has its way. */
  settle(): this {
    for (let pass = 0; pass < 20; pass++) {
      const { writes } = decideDeployment(this.deployment(KEY), this.replicasOf(KEY), this.nowMs, 'test');
      if (writes.length === 0) return this;
      this.apply(writes);
    }
    throw new Error('orchestrator never comes to rest');
  }
  word(verb: 'approved' | 'rejected' | 'aborted', evidenceDigest = DIGEST, rolloutId = ROLLOUT): this {
    return this.given(stream.deployment(KEY), `davit.deployment.rollout-${verb}`, {
      ...{ intentId: INTENT, rolloutId, evidenceDigest, actor: 'ada', reason: 'looked at it' },
    });
  }
  get state(): RolloutState | undefined {
    const { rollout } = this.deployment(KEY);
    return rollout && this.rollout(rollout.id);
  }
  next(): NextStep {
    const { state } = this;
    if (!state) return { kind: 'done' };
    const deployment = this.deployment(KEY);
    const replica = this.replicasOf(KEY).find(({ id }) => id === state.replicaId);
    return nextStep(state, { nowMs: this.nowMs, deployment, replica, installation: 'test' });
  }
  /** Whoever carries out rollouts looks once, and does what is next. */
  step(fate: Fate = 'good', verified: Verified = GOOD): this {
    const beginning = beginningOf(this.deployment(KEY), this.replicasOf(KEY));
    if (beginning) {
      const declared = this.events.findLast(({ type }) => type === 'davit.deployment.declared');
      this.append(stream.rollout(beginning.rolloutId), begin(beginning, verified, [declared?.id ?? '']));
      return this.settle();
    }
    const next = this.next();
    const { state } = this;
    if (next.kind === 'append') for (const event of next.events) this.append(stream.rollout(state?.id ?? ''), event);
    if (next.kind === 'perform' && state)
      for (const { stream: name, event } of performed(state, next.step, fate, this.nowMs)) this.append(name, event);
    return this.settle();
  }
  /** Goes on while everything goes well, until `phase` is reached or nothing is left to do by itself. */
  until(phase: RolloutState['phase']['name']): this {
    for (let count = 0; count < 100 && this.state?.phase.name !== phase; count++) this.step();
    if (this.state?.phase.name !== phase) throw new Error(`stuck in ${this.state?.phase.name ?? 'nothing'}`);
    return this;
  }
  namesOf(category: string): readonly string[] {
    const prefix = `davit.${category}.`;
    return this.events.flatMap(({ type }) => (type.startsWith(prefix) ? [type.slice(prefix.length)] : []));
  }
  of<Type extends RecordedEvent['type']>(type: Type): readonly Extract<RecordedEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<RecordedEvent, { type: Type }> => event.type === type);
  }
}
