import { type CreateWebhookRequest, EVERY_TENANT, type EventData, type NewEvent, stream } from '@davit/contracts';
import { type WebhookDecision, type WebhookState, digestOf, evolveWebhook } from '@davit/domain';
import type { AppendResult, EventLog } from '@davit/event-log';
import type { Random } from '@davit/ports';
import type { ReadModel } from '@davit/projection';
import { ProblemError } from '@davit/service-kit';

export interface WebhookOrderPorts {
  readonly log: EventLog;
  readonly model: Pick<ReadModel, 'get'>;
  readonly random: Random;
}

/** Who asks, and under which key the same question gives the same answer. */
export interface Ordered {
  readonly actor: string;
  readonly idempotencyKey: string | undefined;
}

const SERVICE = 'spec-api';
const ID_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 12;
/** Others wrote the same webhook at the same moment; they come seldom. */
const ATTEMPTS = 10;

/** Writes what is asked of webhooks; each answer is what the log then says. */
export class WebhookOrders {
  constructor(private readonly ports: WebhookOrderPorts) {}

  async create(wanted: CreateWebhookRequest, { actor, idempotencyKey }: Ordered): Promise<WebhookState> {
    const { name, url, tenants, filter, secret } = wanted;
    const after = wanted.after ?? (await this.ports.log.head());
    const webhookId = Array.from({ length: ID_LENGTH }, () => this.character()).join('');
    const data: EventData<'davit.webhook.registered'> = { webhookId, name, url, tenants, filter, secret, after };
    const event = { type: 'davit.webhook.registered', data } as const;
    const fingerprint = digestOf(wanted);
    const result = await this.ports.log.append(
      [{ stream: stream.webhook(webhookId), expectedVersion: 0, events: [event] }],
      {
        ...this.context(tenants, actor),
        ...(idempotencyKey === undefined ? {} : { idempotency: { key: `webhook:${idempotencyKey}`, fingerprint } }),
      },
    );
    if (result.outcome === 'idempotency-conflict') {
      const detail = 'The Idempotency-Key was used before for other content; send the same again, or use a new key.';
      throw new ProblemError(409, 'idempotency-conflict', 'The request was not accepted', detail);
    }
    return this.foldedFrom(undefined, result);
  }

  /** Decides on the webhook as the log has it. */
  async order(
    id: string,
    actor: string,
    decide: (webhook: WebhookState) => WebhookDecision,
  ): Promise<WebhookState | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const webhook = await this.present(id);
      if (!webhook) return undefined;
      const decision = decide(webhook);
      if (decision.outcome === 'refused') {
        const { code, detail, remedy } = decision;
        const status = code === 'not-found' ? 404 : 409;
        const problems = [{ path: '', message: detail, remedy }];
        throw new ProblemError(status, code, 'The request was not accepted', `${detail}; ${remedy}`, problems);
      }
      const [first, ...rest] = decision.events;
      if (!first) return webhook;
      const events: readonly [NewEvent, ...NewEvent[]] = [first, ...rest];
      const write = { stream: stream.webhook(id), expectedVersion: webhook.version, events };
      const result = await this.ports.log.append([write], this.context(webhook.tenants, actor));
      if (result.outcome === 'appended') return this.foldedFrom(webhook, result);
    }
    throw new ProblemError(503, 'contention', 'Try again', `The webhook ${id} is being changed by many at once.`);
  }

  /** The projection, and what came after it. */
  async present(id: string): Promise<WebhookState | undefined> {
    const seen = await this.ports.model.get<WebhookState>('webhook', id);
    const later = await this.ports.log.readStream(stream.webhook(id), seen?.document.version ?? 0);
    return later.reduce<WebhookState | undefined>(evolveWebhook, seen?.document);
  }

  private foldedFrom(before: WebhookState | undefined, result: AppendResult): WebhookState {
    const events = result.outcome === 'appended' || result.outcome === 'duplicate' ? result.events : [];
    const webhook = events.reduce<WebhookState | undefined>(evolveWebhook, before);
    if (!webhook) throw new Error(`an append to a webhook's own stream cannot end in ${result.outcome}`);
    return webhook;
  }

  private context(tenants: WebhookState['tenants'], actor: string) {
    return { tenant: tenantOf({ tenants }), service: SERVICE, actor };
  }

  private character(): string {
    return ID_CHARACTERS[Math.floor(this.ports.random.next() * ID_CHARACTERS.length)] ?? 'a';
  }
}

/** The tenant beside the events of a webhook. */
export const tenantOf = ({ tenants }: Pick<WebhookState, 'tenants'>): string =>
  tenants === 'all' || tenants.length !== 1 ? EVERY_TENANT : (tenants[0] ?? EVERY_TENANT);
