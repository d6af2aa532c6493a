import { type NewEvent, type RecordedEvent, stream } from '@davit/contracts';
import {
  type Attempts,
  DELIVERY_RULES,
  type DeadLetter,
  type DeliveryDecision,
  type DeliveryRules,
  EventSight,
  type WebhookState,
  afterAttempt,
  eventCategory,
  named,
  selected,
} from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { Logger } from '@davit/ports';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { type DeliveryParts, deliver } from './deliver.js';
import { tenantOf } from './webhook-orders.js';

export interface WebhookParts extends DeliveryParts {
  readonly log: Pick<EventLog, 'read'>;
  readonly logger: Logger;
  readonly rules?: DeliveryRules;
  readonly onDelivery?: (outcome: 'taken' | 'gone' | 'refused' | 'busy' | 'unreachable') => void;
}

const PAGE = 200;
/** A pass ends here, so that no webhook keeps the others waiting. */
const PASS_MS = 5_000;
/** How far it is, is written down this often while it sends; a crash sends again what was taken since. */
const PROGRESS_MS = 15_000;
/** Where nothing is to be sent, its place in the log is written down this seldom. */
const PROGRESS_POSITIONS = 10_000;
/** Wake-ups come with each document that changes; events that change none are found by looking. */
const LOOK_AGAIN_MS = 1_000;

/** What is known of one webhook while its lease is held; lost with the process, and then events are sent again. */
interface Place {
  epoch: number;
  readonly sight: EventSight;
  cursor: number;
  delivered: number;
  toldAtMs: number;
  /** Of the event that is to be sent next. */
  sent: number;
  answered: number;
  failingSinceMs: number | undefined;
  deadLettersInRow: number;
  retryAtMs: number;
}

/**
 * Sends events to those who asked for them, in the order of the log and each at least once. One instance at a time sends for a
 * webhook. How far it is, what was given up and why nothing is sent are events.
 */
export function webhookController(parts: WebhookParts): Controller {
  const active = new Set<string>();
  const places = new Map<string, Place>();
  return {
    name: 'webhooks',
    keysOf({ kind, key }, document) {
      if (kind !== 'webhook') return [...active];
      if (document?.['status'] === 'active') active.add(key);
      else active.delete(key);
      return [key];
    },
    async reconcile(context) {
      const { key, epoch, model } = context;
      const stored = await model.get<WebhookState>('webhook', key);
      if (stored?.document.status !== 'active') {
        places.delete(key);
        return {};
      }
      const known = places.get(key);
      // A lease that ran out and was taken again at once was nobody else's in between: the next epoch says so.
      const place = known && epoch - known.epoch <= 1 ? known : placeOf(stored.document, context);
      place.epoch = epoch;
      places.set(key, place);
      place.cursor = Math.max(place.cursor, stored.document.cursor);
      return new Pass(parts, context, stored.document, place).run();
    },
  };
}

function placeOf({ cursor, tenants }: WebhookState, context: ReconcileContext): Place {
  const { epoch } = context;
  return {
    ...{ epoch, cursor, sight: new EventSight({ role: 'viewer', tenants }) },
    ...{ delivered: 0, toldAtMs: context.nowMs(), sent: 0, answered: 0 },
    ...{ failingSinceMs: undefined, deadLettersInRow: 0, retryAtMs: 0 },
  };
}

/** One turn of one webhook. */
class Pass {
  private readonly endMs: number;
  private readonly rules: DeliveryRules;

  constructor(
    private readonly parts: WebhookParts,
    private readonly context: ReconcileContext,
    private readonly webhook: WebhookState,
    private readonly place: Place,
  ) {
    this.endMs = context.nowMs() + PASS_MS;
    this.rules = parts.rules ?? DELIVERY_RULES;
  }

  async run(): Promise<ReconcileResult> {
    const { context, place } = this;
    if (place.retryAtMs > context.nowMs()) return this.waiting();
    for (const letter of this.webhook.deadLetters.filter(({ again }) => again)) {
      if (!(await this.sendAgain(letter))) return { requeueAfterMs: LOOK_AGAIN_MS };
    }
    for (;;) {
      const from = place.cursor;
      const page = await this.parts.log.read(from, PAGE);
      for (const event of page) {
        const result = await this.take(event);
        if (result) return result;
      }
      await this.tell();
      if (page.length < PAGE) return { requeueAfterMs: this.untilTold() };
      if (context.nowMs() >= this.endMs) return { requeueAfterMs: 1 };
    }
  }

  /** The event as it may be seen, if it is asked for. */
  private shown(event: RecordedEvent): RecordedEvent | undefined {
    if (eventCategory(event) === 'webhook') return undefined;
    return selected({ sight: this.place.sight, tenants: 'all', ...filterOf(this.webhook) }, event);
  }

  /** Sends one event if it is asked for; a result ends the pass. */
  private async take(event: RecordedEvent): Promise<ReconcileResult | undefined> {
    const { place, webhook, context } = this;
    const shown = this.shown(event);
    if (!shown) {
      place.cursor = event.position;
      return undefined;
    }
    if (!(await context.holdsLease())) return {};
    const decision = await this.attempt(shown);
    switch (decision.do) {
      case 'go-on':
        this.moveOn(event.position);
        place.delivered += 1;
        place.deadLettersInRow = 0;
        break;
      case 'retry':
        await this.tell();
        place.retryAtMs = context.nowMs() + decision.afterMs;
        return this.waiting();
      case 'dead-letter': {
        const data = { ...letterOf(event), attempts: place.sent, status: decision.status, detail: decision.detail };
        await this.append({ type: 'davit.webhook.dead-lettered', data: { ...named(webhook), ...data } });
        this.moveOn(event.position);
        place.deadLettersInRow += 1;
        break;
      }
      case 'suspend': {
        const { reason, detail } = decision;
        await this.append({ type: 'davit.webhook.suspended', data: { ...named(webhook), reason, detail } });
        return {};
      }
    }
    return context.nowMs() >= this.endMs ? this.tell().then(() => ({ requeueAfterMs: 1 })) : undefined;
  }

  private async attempt(event: RecordedEvent): Promise<DeliveryDecision> {
    const { place, parts, context, webhook } = this;
    const outcome = await deliver(parts, webhook, event, context.nowMs());
    parts.onDelivery?.(outcome.kind);
    place.sent += 1;
    if (outcome.kind === 'refused') place.answered += 1;
    if (outcome.kind === 'taken') place.failingSinceMs = undefined;
    else place.failingSinceMs ??= context.nowMs();
    const decision = afterAttempt(outcome, this.soFar(), this.rules);
    if (outcome.kind !== 'taken') {
      const { id, name } = webhook;
      parts.logger.warn({ webhook: id, name, position: event.position, outcome, decision }, 'an event was not taken');
    }
    return decision;
  }

  private soFar(): Attempts {
    const { sent, answered, failingSinceMs, deadLettersInRow } = this.place;
    const failingForMs = failingSinceMs === undefined ? 0 : this.context.nowMs() - failingSinceMs;
    return { sent, answered, failingForMs, deadLettersInRow };
  }

  /** False where it cannot be sent now. */
  private async sendAgain(letter: DeadLetter): Promise<boolean> {
    const { parts, context, webhook } = this;
    const [stored] = await parts.log.read(letter.eventPosition - 1, 1);
    const event = stored && this.shown(stored);
    if (!event || !(await context.holdsLease())) return false;
    const outcome = await deliver(parts, webhook, event, context.nowMs());
    parts.onDelivery?.(outcome.kind);
    if (outcome.kind === 'taken') {
      const data = { ...named(webhook), eventPosition: event.position };
      return this.append({ type: 'davit.webhook.redelivered', data });
    }
    const status = 'status' in outcome ? outcome.status : null;
    const detail = `sent once more: ${outcome.kind === 'unreachable' ? outcome.why : `the receiver answered ${status}`}`;
    const data = { ...named(webhook), ...letterOf(event), attempts: letter.attempts + 1, status, detail };
    return this.append({ type: 'davit.webhook.dead-lettered', data });
  }

  /** Looks in before its time, so that the lease stays here with what is known of the attempts. */
  private waiting(): ReconcileResult {
    const leftMs = this.place.retryAtMs - this.context.nowMs();
    return { requeueAfterMs: Math.min(LOOK_AGAIN_MS, Math.max(1, leftMs)) };
  }

  private moveOn(position: number): void {
    const { place } = this;
    place.cursor = position;
    place.sent = 0;
    place.answered = 0;
    place.retryAtMs = 0;
  }

  /** Writes down how far it is, when that is due. */
  private async tell(): Promise<void> {
    const { place, webhook, context } = this;
    const due = place.delivered > 0 && context.nowMs() - place.toldAtMs >= PROGRESS_MS;
    if (!due && place.cursor - webhook.cursor < PROGRESS_POSITIONS) return;
    const data = { ...named(webhook), upTo: place.cursor, delivered: place.delivered };
    if (!(await this.append({ type: 'davit.webhook.progressed', data }))) return;
    place.delivered = 0;
    place.toldAtMs = context.nowMs();
  }

  private untilTold(): number {
    const { place, context } = this;
    if (place.delivered === 0) return LOOK_AGAIN_MS;
    return Math.min(LOOK_AGAIN_MS, Math.max(1, place.toldAtMs + PROGRESS_MS - context.nowMs()));
  }

  private async append(event: NewEvent): Promise<boolean> {
    const { webhook, context } = this;
    const tenant = tenantOf(webhook);
    const write = { stream: stream.webhook(webhook.id), expectedVersion: 'any', events: [event] } as const;
    return (await context.append([write], { tenant })).outcome === 'appended';
  }
}

const filterOf = ({ filter }: WebhookState) => ({
  categories: filter.categories,
  // Types are checked when a webhook is registered; one that is gone since is never seen.
  types: filter.types as RecordedEvent['type'][] | undefined,
  deployment: filter.deployment,
});

const letterOf = ({ position, id, type }: RecordedEvent) => ({ eventPosition: position, eventId: id, eventType: type });
