import { BusContext, BusEvent, busHeaders } from '@davit/bus';
import { type IntentAnswer, subjects } from '@davit/contracts';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { INTENT_HANDLER } from '../tokens.js';
import type { IntentHandler } from './intent-handler.js';
import { type IntentOrigin, TRACEPARENT } from './intent.js';

/** Intents from the bus. What is returned reaches the requester, if there is one, after the message is acknowledged. */
@Controller()
export class IntentsBusController {
  constructor(@Inject(INTENT_HANDLER) private readonly intents: IntentHandler) {}

  @BusEvent(subjects.intent('deployment', 'apply'))
  apply(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.apply(body, originOf(context));
  }

  @BusEvent(subjects.intent('deployment', 'delete'))
  delete(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.delete(body, originOf(context));
  }

  @BusEvent(subjects.intent('deployment', 'cancel'))
  cancel(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.cancel(body, originOf(context));
  }

  @BusEvent(subjects.intent('deployment', 'retry'))
  retry(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.retry(body, originOf(context));
  }

  @BusEvent(subjects.intent('deployment', 'scale'))
  scale(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.scale(body, originOf(context));
  }

  @BusEvent(subjects.intent('deployment', 'pause'))
  pause(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.pause(body, originOf(context));
  }

  @BusEvent(subjects.intent('deployment', 'resume'))
  resume(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.resume(body, originOf(context));
  }

  @BusEvent(subjects.intent('fleet', 'thaw'))
  thaw(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.thaw(body, originOf(context));
  }

  @BusEvent(subjects.intent('orphan', 'reap'))
  reap(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.reap(body, originOf(context));
  }

  @BusEvent(subjects.intent('tenant', 'set-budget'))
  setBudget(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.setBudget(body, originOf(context));
  }

  @BusEvent(subjects.intent('tenant', 'clear-budget'))
  clearBudget(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.clearBudget(body, originOf(context));
  }

  @BusEvent(subjects.intent('rollout', 'approve'))
  approveRollout(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.rollout('approve', body, originOf(context));
  }

  @BusEvent(subjects.intent('rollout', 'reject'))
  rejectRollout(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.rollout('reject', body, originOf(context));
  }

  @BusEvent(subjects.intent('rollout', 'abort'))
  abortRollout(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    return this.intents.rollout('abort', body, originOf(context));
  }
}

export function originOf(context: BusContext): IntentOrigin {
  const idempotencyKey = context.header(busHeaders.idempotencyKey);
  const { messageId, traceparent } = context;
  return {
    channel: 'nats',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(traceparent !== undefined && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}
