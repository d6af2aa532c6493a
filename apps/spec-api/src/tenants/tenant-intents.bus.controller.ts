import { BusContext, RpcProblemError } from '@davit/bus';
import { INTENTS, type IntentAnswer, subjects } from '@davit/contracts';
import { ProblemError, problemDocumentOf } from '@davit/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { IntentHandler } from '../intents/intent-handler.js';
import { originOf } from '../intents/intents.bus.controller.js';
import type { IntentOrigin } from '../intents/intent.js';
import { INTENT_HANDLER } from '../tokens.js';

const SUBJECT = /^davit\.tenant\.([a-z][a-z0-9-]*)\.intent\.([a-z-]+)\.([a-z-]+)$/;

/**
 * Intents that came through the account of a tenant: the broker wrote the tenant into the subject, so nobody can speak for another
 * one. They are requests that are answered, and not stored.
 */
@Controller()
export class TenantIntentsBusController {
  constructor(@Inject(INTENT_HANDLER) private readonly intents: IntentHandler) {}

  @MessagePattern(subjects.allTenantIntents)
  take(@Payload() body: unknown, @Ctx() context: BusContext): Promise<IntentAnswer> {
    const [, tenant = '', kind = '', verb = ''] = SUBJECT.exec(context.subject) ?? [];
    const asker = { actor: `tenant ${tenant} on the bus`, tenants: [tenant] };
    return this.carryOut(kind, verb, body, { ...originOf(context), asker }).catch((error: unknown) => {
      throw error instanceof ProblemError ? new RpcProblemError(problemDocumentOf(error)) : error;
    });
  }

  private async carryOut(kind: string, verb: string, body: unknown, origin: IntentOrigin): Promise<IntentAnswer> {
    const { intents } = this;
    if (kind === 'rollout') {
      const word = INTENTS.rollout.find((known) => known === verb);
      if (word !== undefined) return intents.rollout(word, body, origin);
    }
    const onDeployment = kind === 'deployment' ? INTENTS.deployment.find((known) => known === verb) : undefined;
    if (onDeployment !== undefined) return intents[onDeployment](body, origin);
    throw new ProblemError(403, 'forbidden', 'Not for tenants', `${kind}.${verb} is no intent that a tenant may send.`);
  }
}
