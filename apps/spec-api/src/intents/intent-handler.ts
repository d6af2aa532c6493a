import {
  type AbortRolloutIntent,
  EVERY_TENANT,
  type FieldProblem,
  type IntentAnswer,
  type IntentVerb,
  abortRolloutIntent,
  clearBudgetIntent,
  deploymentIntent,
  normaliseBudget,
  parseDeployment,
  pauseIntent,
  reapIntent,
  rolloutIntent,
  scaleIntent,
  setBudgetIntent,
  thawIntent,
} from '@davit/contracts';
import { cancelRollout, declare, digestOf, pause, requestDeletion, requestRetry, resume, scale } from '@davit/domain';
import type { AppendContext, AppendResult, EventLog, StreamWrite } from '@davit/event-log';
import { type Clock, type Ids, type Random, backoffMs, sleep } from '@davit/ports';
import type { ReadModel } from '@davit/projection';
import type { z } from 'zod';
import { mustBeTheirs } from '../access/problems.js';
import { setBudget } from './budget-orders.js';
import { contentDigest } from './content-digest.js';
import { type Decide, onDeployment } from './deployment-intents.js';
import { DeploymentPasts } from './deployment-pasts.js';
import { type BodyWithFacts, NO_FACTS, type ReadBody, readApply, readIntent } from './intent-body.js';
import { acceptance, answerFrom, rejection } from './intent-events.js';
import type { Intent, IntentOrigin } from './intent.js';
import { KeyedTurns } from './keyed-turns.js';
import { reap, thaw } from './orders.js';
import { preconditionsOf, provided } from './precondition.js';
import { orderRollout } from './rollout-orders.js';
import type { Judge } from './verdict.js';

export interface IntentHandlerPorts {
  readonly log: EventLog;
  readonly model: Pick<ReadModel, 'get'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
}

/** The log refused the intent again and again because others wrote the same deployment at the same moment. */
export class IntentContentionError extends Error {
  readonly code = 'log-unavailable';
  constructor(deployment: string) {
    super(`${deployment} is being changed by many at once; send the intent again`);
    this.name = 'IntentContentionError';
  }
}

/** How long one intent tries against other instances that write the same deployment. */
const CONTENTION_MS = 15_000;
const RETRY = { firstMs: 5, maxMs: 200 } as const;

/**
 * Takes intents: what is asked is decided on the deployment as the log has it, and the answer is an event before it is an
 * answer. Everything an intent leads to is one append, so it happens as a whole or not at all.
 */
export class IntentHandler {
  private readonly pasts: DeploymentPasts;
  /** Intents of this process on one deployment would only be in each other's way. */
  private readonly turns: KeyedTurns;

  constructor(
    private readonly ports: IntentHandlerPorts,
    private readonly service: string,
  ) {
    const pasts = new DeploymentPasts(ports.log);
    this.pasts = pasts;
    this.turns = new KeyedTurns((key) => pasts.forget(key));
  }

  async apply(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    const read = readApply(body, origin.idempotencyKey);
    const content = read.ok ? read.content : body;
    const parsed = parseDeployment(content);
    const intent = this.intent(
      'apply',
      content,
      read,
      read.ok ? tenantOf(content) : tenantOfUnreadable(origin),
      origin,
    );
    if (!read.ok) return this.reject(intent, 'invalid-intent', read.problems);
    if (!parsed.ok) return this.reject(intent, 'invalid-spec', parsed.problems);
    const { deployment } = parsed;
    const key = keyOf(deployment.metadata);
    return this.onDeployment(intent, key, (state, intentId) => declare(state, deployment, intentId));
  }

  delete(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.order('delete', requestDeletion, body, origin);
  }

  /** Stops a rollout: what serves stays, the candidate goes. */
  cancel(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.order('cancel', cancelRollout, body, origin);
  }

  /** Tries again what was given up after failed starts. */
  retry(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.order('retry', requestRetry, body, origin);
  }

  /** Another number of replicas; all else stays as it was declared. */
  scale(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.take('scale', scaleIntent, body, origin, (intent, { replicas, ...named }) =>
      this.onDeployment(intent, keyOf(named), (state, intentId) => scale(state, replicas, intentId)),
    );
  }

  /** What serves stays, and nothing is started, replaced or deleted. */
  pause(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.take('pause', pauseIntent, body, origin, (intent, { reason, ...named }) =>
      this.onDeployment(intent, keyOf(named), (state, intentId) => pause(state, reason, intentId)),
    );
  }

  /** Ends a pause. */
  resume(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.order('resume', resume, body, origin);
  }

  /** Lets a fleet that is frozen go on. */
  thaw(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.take('thaw', thawIntent, body, origin, (intent, { reason }) =>
      this.carryOut(intent, thaw(this.ports, reason)),
    );
  }

  /** Lets an orphan be deleted. */
  reap(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.take('reap', reapIntent, body, origin, (intent, { orphan, reason }) =>
      this.carryOut(intent, reap(this.ports, orphan, reason)),
    );
  }

  /** Sets what all deployments of a tenant may spend together. */
  setBudget(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.take('set-budget', setBudgetIntent, body, origin, (intent, { tenant, budget }) =>
      this.carryOut(intent, setBudget(this.ports, tenant, normaliseBudget(budget))),
    );
  }

  /** Takes the ceilings of a tenant away. */
  clearBudget(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.take('clear-budget', clearBudgetIntent, body, origin, (intent, { tenant }) =>
      this.carryOut(intent, setBudget(this.ports, tenant, null)),
    );
  }

  /** An operator's word on a rollout: go on, do not, or stop however far it is. */
  rollout(verb: IntentVerb<'rollout'>, body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    const schema = verb === 'abort' ? abortRolloutIntent : rolloutIntent;
    return this.take<AbortRolloutIntent>(verb, schema, body, origin, (intent, { rollout, evidenceDigest, reason }) => {
      const actor = intent.facts.actor ?? intent.origin.actor ?? null;
      const order = { verb, rollout, evidenceDigest, actor, reason };
      return this.turns.take(rollout, () => this.carryOut(intent, orderRollout(this.ports, order)));
    });
  }

  private order(verb: IntentVerb, decide: Decide, body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    return this.take(verb, deploymentIntent, body, origin, (intent, named) =>
      this.onDeployment(intent, keyOf(named), decide),
    );
  }

  private async take<Body extends BodyWithFacts & { readonly tenant?: string }>(
    verb: IntentVerb,
    schema: z.ZodType<Body>,
    body: unknown,
    origin: IntentOrigin,
    carryOut: (intent: Intent, content: Omit<Body, keyof BodyWithFacts>) => Promise<IntentAnswer>,
  ): Promise<IntentAnswer> {
    const read = readIntent(schema, body, origin.idempotencyKey);
    const tenant = read.ok ? tenantOfIntent(verb, read.content) : tenantOfUnreadable(origin);
    const intent = this.intent(verb, read.ok ? read.content : body, read, tenant, origin);
    if (!read.ok) return this.reject(intent, 'invalid-intent', read.problems);
    return carryOut(intent, read.content);
  }

  private intent(
    verb: IntentVerb,
    content: unknown,
    read: ReadBody<unknown>,
    tenant: string,
    origin: IntentOrigin,
  ): Intent {
    const { asker } = origin;
    if (asker) mustBeTheirs(asker, tenant);
    const said = read.ok ? read.facts : NO_FACTS;
    const facts = asker ? { ...said, actor: asker.actor } : said;
    return { id: this.ports.ids.uuid(), verb, origin, facts, tenant, digest: contentDigest(verb, content) };
  }

  private onDeployment(intent: Intent, key: string, decide: Decide): Promise<IntentAnswer> {
    const guarded = provided(preconditionsOf(intent), key, decide);
    const judge = onDeployment(this.pasts, this.ports.model, key, guarded);
    return this.turns.take(key, () => this.carryOut(intent, judge));
  }

  private async carryOut(intent: Intent, judge: Judge): Promise<IntentAnswer> {
    const { clock, random } = this.ports;
    const untilMs = clock.monotonicMs() + CONTENTION_MS;
    for (let attempt = 1; ; attempt++) {
      const verdict = await judge(intent.id);
      if (verdict.outcome === 'refused') {
        const { code, detail, remedy } = verdict;
        return this.reject(intent, code, [{ path: '', message: detail, remedy }]);
      }
      const writes = [acceptance(intent, verdict.facts), ...verdict.writes] as const;
      const result = await this.append(intent, writes, verdict.basedOnPosition);
      if (result.outcome !== 'wrong-version') return this.answer(intent, result);
      if (clock.monotonicMs() >= untilMs) {
        throw new IntentContentionError(verdict.facts.deployment ?? verdict.facts.about ?? '');
      }
      await sleep(clock, backoffMs(RETRY, attempt, random));
    }
  }

  private async reject(intent: Intent, code: string, problems: readonly FieldProblem[]): Promise<IntentAnswer> {
    return this.answer(intent, await this.append(intent, [rejection(intent, code, problems)]));
  }

  private append(
    intent: Intent,
    writes: readonly [StreamWrite, ...StreamWrite[]],
    basedOnPosition?: number,
  ): Promise<AppendResult> {
    const key = idempotencyKeyOf(intent);
    return this.ports.log.append(writes, {
      ...this.context(intent),
      ...(basedOnPosition === undefined ? {} : { basedOnPosition }),
      ...(key === undefined ? {} : { idempotency: { key, fingerprint: intent.digest } }),
    });
  }

  private context(intent: Intent): AppendContext {
    const actor = intent.facts.actor ?? intent.origin.actor;
    const { traceparent } = intent.origin;
    return {
      tenant: intent.tenant,
      service: this.service,
      correlationId: intent.id,
      ...(actor === undefined ? {} : { actor }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
  }

  private async answer(intent: Intent, result: AppendResult): Promise<IntentAnswer> {
    switch (result.outcome) {
      case 'appended':
      case 'duplicate':
        return answerFrom(result.events);
      case 'idempotency-conflict':
        return this.conflict(intent);
      case 'wrong-version':
      case 'already-handled':
      case 'fenced':
        throw new Error(`an intent's own stream, without inbox and lease, cannot end in ${result.outcome}`);
    }
  }

  /** The key belongs to other content. The refusal has an identity of its own, so that asking again repeats it. */
  private async conflict(intent: Intent): Promise<IntentAnswer> {
    const key = idempotencyKeyOf(intent) ?? '';
    const write = rejection(intent, 'idempotency-conflict', [
      {
        path: 'idempotencyKey',
        message: 'was used before for an intent with other content',
        remedy: 'Send the same content again, or use a new key.',
      },
    ]);
    const idempotency = { key: `conflict:${intent.digest}:${key}`, fingerprint: intent.digest };
    const result = await this.ports.log.append([write], { ...this.context(intent), idempotency });
    if (result.outcome === 'appended' || result.outcome === 'duplicate') return answerFrom(result.events);
    throw new Error(`a refusal of its own identity cannot end in ${result.outcome}`);
  }
}

/** Whom an intent concerns: the tenant that it names, that of what it names, or the whole fleet. */
function tenantOfIntent(verb: IntentVerb, content: { readonly tenant?: string | undefined }): string {
  if (verb === 'thaw' || verb === 'reap') return EVERY_TENANT;
  if (content.tenant !== undefined) return content.tenant;
  return 'rollout' in content && typeof content.rollout === 'string' ? tenantPart(content.rollout) : 'default';
}

const tenantPart = (id: string): string => id.slice(0, id.indexOf('/'));

/** What cannot be read is refused in the name of whoever sent it. */
const tenantOfUnreadable = ({ asker }: IntentOrigin): string =>
  asker === undefined || asker.tenants === 'all' ? 'default' : (asker.tenants[0] ?? 'default');

const keyOf = ({ tenant, name }: { readonly tenant: string; readonly name: string }): string => `${tenant}/${name}`;

/** Keys of callers are apart for each tenant (by the log) and verb; without one, the stored message is its own key. */
function idempotencyKeyOf({ verb, facts, origin }: Intent): string | undefined {
  const key = facts.idempotencyKey;
  if (key !== undefined) return `${verb}:${key}`;
  return origin.messageId === undefined ? undefined : `message:${digestOf(origin.messageId)}`;
}

/** Tenant that a refused manifest names, if it names one. */
function tenantOf(content: unknown): string {
  const parsed = parseTenant(content);
  return parsed !== undefined && /^[a-z][a-z0-9-]{0,39}$/.test(parsed) ? parsed : 'default';
}

function parseTenant(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || !('metadata' in content)) return undefined;
  const { metadata } = content;
  if (typeof metadata !== 'object' || metadata === null || !('tenant' in metadata)) return undefined;
  return typeof metadata.tenant === 'string' ? metadata.tenant : undefined;
}
