import { type ProblemDocument, subjects } from '@davit/contracts';
import { type Ids, type Cancel, systemIds } from '@davit/ports';
import { type Msg, type MsgHdrs, type Subscription, headers as newHeaders } from 'nats';
import { encodeJson, headerBytes, maxPayloadBytes } from '../codec.js';
import type { Bus } from '../connection.js';
import type { DeadLetterKind } from '../dead-letters/dead-letter.js';
import { reasonOf } from '../errors.js';
import { busHeaders, busSubjects, isAnswerable } from '../subjects.js';
import { INTENT_DUPLICATE_WINDOW_MS, MAX_INTENT_BYTES } from '../streams/definitions.js';
import { intentDigest, isKeyed } from './digest.js';
import { WaitingRoom } from './waiters.js';

export interface IntentAnswersOptions {
  /** How long a request is remembered. Default 60 000. */
  readonly waiterTtlMs?: number;
  /**
   * How long an outcome without a waiter is kept for a request that is still under way. Short, so that a later
   * intent of the same words is not answered with it. Default 300.
   */
  readonly earlyTtlMs?: number;
  readonly ids?: Ids;
}

const HEADER = { id: 'Davit-Outcome-Id', keyed: 'Davit-Outcome-Keyed' } as const;
const QUEUE = 'intent-answers';
const SWEEP_MS = 1_000;

/**
 * Answers requests on `davit.intent.>` with the outcome of the stored intent. Each instance listens (one per
 * request hears it), whichever instance handles the stored copy publishes the outcome, and the one that heard the
 * request passes it on. A sender that dies or does not ask loses nothing: the intent is in INTENTS.
 */
export class IntentAnswers {
  private readonly room = new WaitingRoom();
  private readonly ids: Ids;
  private readonly waiterTtlMs: number;
  private readonly earlyTtlMs: number;
  private subscriptions: Subscription[] = [];
  private cancelSweep: Cancel | undefined;

  constructor(
    private readonly bus: Bus,
    options: IntentAnswersOptions = {},
  ) {
    this.ids = options.ids ?? systemIds;
    this.waiterTtlMs = options.waiterTtlMs ?? 60_000;
    this.earlyTtlMs = options.earlyTtlMs ?? 300;
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.room.waiting;
  }

  /** Begins to listen; returns once the broker knows. */
  async start(): Promise<void> {
    if (this.subscriptions.length > 0) return;
    this.subscriptions = [
      this.listen(busSubjects.allIntentAnswers, (message) => this.onOutcome(message)),
      this.listen(busSubjects.intentAnswerClaim, (message) => this.room.drop(message.string())),
      this.listen(subjects.allIntents, (message) => this.onIntent(message), QUEUE),
    ];
    this.scheduleSweep();
    await this.bus.connection.flush();
  }

  close(): void {
    this.cancelSweep?.();
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    this.subscriptions = [];
  }

  /** Tells whoever waits for this intent what came of it. Call it only after the outcome is in the log. */
  publishOutcome(subject: string, payload: Uint8Array, headers: MsgHdrs | undefined, outcome: unknown): void {
    this.send(intentDigest(subject, payload, headers), outcome, isKeyed(headers), false);
  }

  /** Tells whoever waits that the intent was set aside. */
  publishProblem(
    subject: string,
    payload: Uint8Array,
    headers: MsgHdrs | undefined,
    why: { readonly kind: DeadLetterKind; readonly reason: string },
  ): void {
    const problem: ProblemDocument = {
      type: `urn:davit:problem:${why.kind}`,
      title: 'The intent was set aside and has no effect',
      status: why.kind === 'max-deliveries' ? 503 : 400,
      code: why.kind,
      detail: why.reason,
    };
    this.send(intentDigest(subject, payload, headers), problem, isKeyed(headers), true);
  }

  private send(digest: string, body: unknown, keyed: boolean, problem: boolean): void {
    const subject = busSubjects.intentAnswer(digest);
    const headers = newHeaders();
    headers.set(HEADER.id, this.ids.uuid());
    if (keyed) headers.set(HEADER.keyed, '1');
    if (problem) headers.set(busHeaders.status, 'problem');
    const limit = maxPayloadBytes(this.bus.connection) - 1_024;
    this.bus.connection.publish(subject, encodeJson(subject, body, limit), { headers });
  }

  private onIntent(message: Msg): void {
    // The stored copy is looked for even when nobody asked: its outcome must not answer a later intent of the same words.
    const size = message.data.length + headerBytes(message.headers);
    if (size > MAX_INTENT_BYTES) {
      this.refuseSize(message, size);
      return;
    }
    const nowMs = this.bus.clock.nowMs();
    const digest = intentDigest(message.subject, message.data, message.headers);
    const early = this.room.takeEarly(digest, nowMs);
    if (early) {
      if (!early.isKeyed) this.bus.connection.publish(busSubjects.intentAnswerClaim, early.id);
      this.reply(message.reply, early.body, early.isProblem);
      return;
    }
    this.room.wait(digest, { reply: message.reply, expiresAtMs: nowMs + this.waiterTtlMs });
  }

  private onOutcome(message: Msg): void {
    const nowMs = this.bus.clock.nowMs();
    const digest = message.subject.slice(busSubjects.intentAnswer('').length);
    const id = message.headers?.get(HEADER.id) ?? '';
    const keyed = message.headers?.get(HEADER.keyed) === '1';
    const isProblem = message.headers?.get(busHeaders.status) === 'problem';
    const waiters = this.room.takeWaiters(digest, nowMs);
    // The claim leaves before the replies, so that no requester can ask again before the others know.
    if (waiters.length > 0 && !keyed) this.bus.connection.publish(busSubjects.intentAnswerClaim, id);
    for (const waiter of waiters) this.reply(waiter.reply, message.data, isProblem);
    if (waiters.length > 0 && !keyed) return;
    const expiresAtMs = nowMs + (keyed ? INTENT_DUPLICATE_WINDOW_MS : this.earlyTtlMs);
    this.room.keep({ id, digest, body: message.data, isProblem, isKeyed: keyed, expiresAtMs });
  }

  private refuseSize(message: Msg, size: number): void {
    const problem: ProblemDocument = {
      type: 'urn:davit:problem:payload-too-large',
      title: 'The intent is too large and was not stored',
      status: 413,
      code: 'payload-too-large',
      detail: `${size} bytes with headers; at most ${MAX_INTENT_BYTES} are accepted`,
    };
    this.bus.logger.warn({ subject: message.subject, size }, 'intent refused for its size');
    this.reply(message.reply, encodeJson(message.subject, problem, MAX_INTENT_BYTES), true);
  }

  private reply(subject: string | undefined, body: Uint8Array, isProblem: boolean): void {
    if (!isAnswerable(subject)) return;
    const headers = newHeaders();
    if (isProblem) headers.set(busHeaders.status, 'problem');
    this.bus.connection.publish(subject, body, isProblem ? { headers } : {});
  }

  private listen(subject: string, onMessage: (message: Msg) => void, queue?: string): Subscription {
    return this.bus.connection.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => {
        if (error) {
          this.bus.logger.error({ subject, reason: error.message }, 'intent answers cannot listen');
          return;
        }
        try {
          onMessage(message);
        } catch (failure) {
          this.bus.logger.error({ subject, reason: reasonOf(failure) }, 'an intent answer was not passed on');
        }
      },
    });
  }

  private scheduleSweep(): void {
    this.cancelSweep = this.bus.clock.schedule(SWEEP_MS, () => {
      const unanswered = this.room.sweep(this.bus.clock.nowMs());
      if (unanswered > 0)
        this.bus.logger.warn({ unanswered }, 'intents without an outcome in time; requesters were not answered');
      this.scheduleSweep();
    });
  }
}
