import { type AnswerOf, type IntentAnswer, operations } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Body, Controller, Headers, Inject } from '@nestjs/common';
import { Serves } from '../operations/serves.js';
import { INTENT_HANDLER } from '../tokens.js';
import type { IntentHandler } from './intent-handler.js';
import { type IntentOrigin, TRACEPARENT } from './intent.js';
import { headerPreconditions } from './precondition.js';

/** Intents over HTTP. The answer comes after its event is in the log. */
@Controller()
export class IntentsController {
  constructor(@Inject(INTENT_HANDLER) private readonly intents: IntentHandler) {}

  @Serves(operations.applyDeployment)
  async apply(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.apply(body, origin(headers)));
  }

  @Serves(operations.deleteDeployment)
  async delete(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.delete(body, origin(headers)));
  }

  @Serves(operations.cancelRevision)
  async cancel(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.cancel(body, origin(headers)));
  }

  @Serves(operations.retryDeployment)
  async retry(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.retry(body, origin(headers)));
  }

  @Serves(operations.scaleDeployment)
  async scale(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.scale(body, origin(headers)));
  }

  @Serves(operations.pauseDeployment)
  async pause(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.pause(body, origin(headers)));
  }

  @Serves(operations.resumeDeployment)
  async resume(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.resume(body, origin(headers)));
  }

  @Serves(operations.thawFleet)
  async thaw(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.thaw(body, origin(headers)));
  }

  @Serves(operations.reapOrphan)
  async reap(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.reap(body, origin(headers)));
  }

  @Serves(operations.setTenantBudget)
  async setBudget(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.setBudget(body, origin(headers)));
  }

  @Serves(operations.clearTenantBudget)
  async clearBudget(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.clearBudget(body, origin(headers)));
  }

  @Serves(operations.approveRollout)
  async approveRollout(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.rollout('approve', body, origin(headers)));
  }

  @Serves(operations.rejectRollout)
  async rejectRollout(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.rollout('reject', body, origin(headers)));
  }

  @Serves(operations.abortRollout)
  async abortRollout(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.rollout('abort', body, origin(headers)));
  }
}

/** Headers that an intent reads; others may be there. */
type IntentHeaders = Readonly<Record<string, string | undefined>>;

function origin(headers: IntentHeaders): IntentOrigin {
  const { 'idempotency-key': key, traceparent } = headers;
  return {
    channel: 'http',
    preconditions: headerPreconditions(headers),
    ...(key === undefined || key === '' ? {} : { idempotencyKey: key }),
    ...(traceparent !== undefined && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}

/** What is wrong about the content itself, whatever the state; a state that refuses what is asked is a conflict. */
const STATUS: Readonly<Record<string, number>> = {
  'invalid-intent': 422,
  'invalid-spec': 422,
  'not-found': 404,
  'precondition-failed': 412,
};
const CONFLICT = 409;

type Accepted = AnswerOf<typeof operations.applyDeployment>;

function acceptedOrProblem(answer: IntentAnswer): Accepted {
  if (answer.outcome === 'accepted') return answer;
  const { code, detail, problems, intentId, position, outcome } = answer;
  throw new ProblemError(STATUS[code] ?? CONFLICT, code, 'The intent was not accepted', detail, problems, {
    outcome,
    intentId,
    position,
  });
}
