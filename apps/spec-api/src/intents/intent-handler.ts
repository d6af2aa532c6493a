import {
  type FieldProblem,
  type IntentAnswer,
  type NormalisedDeployment,
  parseDeployment,
  stream,
} from '@davit/contracts';
import {
  type Accepted,
  type DeploymentState,
  type Refused,
  declare,
  digestOf,
  evolveDeployment,
  requestDeletion,
} from '@davit/domain';
import type { AppendContext, AppendResult, EventLog, StreamWrite } from '@davit/event-log';
import { type Clock, type Ids, type Random, jitter, sleep } from '@davit/ports';
import { contentDigest } from './content-digest.js';
import { NO_FACTS, type ReadBody, readApply, readDelete } from './intent-body.js';
import { acceptance, answerFrom, changes, rejection } from './intent-events.js';
import type { Intent, IntentOrigin, Verb } from './intent.js';

export interface IntentHandlerPorts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
}

type Decide = (state: DeploymentState | undefined, intentId: string) => Accepted | Refused;

/** The log refused the intent again and again because others wrote the same deployment at the same moment. */
export class IntentContentionError extends Error {
  readonly code = 'log-unavailable';
  constructor(deployment: string) {
    super(`${deployment} is being changed by many at once; send the intent again`);
    this.name = 'IntentContentionError';
  }
}

const ATTEMPTS = 4;
const RETRY_MS = 20;

/**
 * Takes intents: what is asked is decided on the deployment as the log has it, and the answer is an event before it is an
 * answer. Everything an intent leads to is one append, so it happens as a whole or not at all.
 */
export class IntentHandler {
  constructor(
    private readonly ports: IntentHandlerPorts,
    private readonly service: string,
  ) {}

  async apply(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    const read = readApply(body, origin.idempotencyKey);
    const content = read.ok ? read.content : body;
    const parsed = parseDeployment(content);
    const intent = this.intent('apply', content, read, tenantOf(content), origin);
    if (!read.ok) return this.reject(intent, 'invalid-intent', read.problems);
    if (!parsed.ok) return this.reject(intent, 'invalid-spec', parsed.problems);
    const { deployment } = parsed;
    return this.carryOut(intent, keyOf(deployment), (state, intentId) => declare(state, deployment, intentId));
  }

  async delete(body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    const read = readDelete(body, origin.idempotencyKey);
    const content = read.ok ? read.content : body;
    const intent = this.intent('delete', content, read, read.ok ? read.content.tenant : 'default', origin);
    if (!read.ok) return this.reject(intent, 'invalid-intent', read.problems);
    const key = `${read.content.tenant}/${read.content.name}`;
    return this.carryOut(intent, key, (state, intentId) => requestDeletion(state, key, intentId));
  }

  private intent(verb: Verb, content: unknown, read: ReadBody<unknown>, tenant: string, origin: IntentOrigin): Intent {
    const facts = read.ok ? read.facts : NO_FACTS;
    return { id: this.ports.ids.uuid(), verb, origin, facts, tenant, digest: contentDigest(verb, content) };
  }

  private async carryOut(intent: Intent, key: string, decide: Decide): Promise<IntentAnswer> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const past = await this.ports.log.readStream(stream.deployment(key));
      const decision = decide(past.reduce(evolveDeployment, undefined), intent.id);
      if (decision.outcome === 'refused') {
        const { code, detail, remedy } = decision;
        return this.reject(intent, code, [{ path: '', message: detail, remedy }]);
      }
      const writes = [acceptance(intent, key, decision), ...changes(key, past, decision)] as const;
      const result = await this.append(intent, writes, past.at(-1)?.position);
      if (result.outcome !== 'wrong-version') return this.answer(intent, result);
      await sleep(this.ports.clock, jitter(this.ports.random, RETRY_MS * attempt, 0.9));
    }
    throw new IntentContentionError(key);
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

const keyOf = ({ metadata }: NormalisedDeployment): string => `${metadata.tenant}/${metadata.name}`;

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
