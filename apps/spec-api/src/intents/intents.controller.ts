import { type AnswerOf, type IntentAnswer, operations } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Body, Controller, Inject, Req } from '@nestjs/common';
import type { AskedRequest } from '../asking/asked.js';
import { LOCAL_PRINCIPAL } from '../asking/principal.js';
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
  async apply(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.apply(body, origin(request)));
  }

  @Serves(operations.deleteDeployment)
  async delete(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.delete(body, origin(request)));
  }

  @Serves(operations.cancelRevision)
  async cancel(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.cancel(body, origin(request)));
  }

  @Serves(operations.retryDeployment)
  async retry(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.retry(body, origin(request)));
  }

  @Serves(operations.scaleDeployment)
  async scale(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.scale(body, origin(request)));
  }

  @Serves(operations.pauseDeployment)
  async pause(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.pause(body, origin(request)));
  }

  @Serves(operations.resumeDeployment)
  async resume(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.resume(body, origin(request)));
  }

  @Serves(operations.thawFleet)
  async thaw(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.thaw(body, origin(request)));
  }

  @Serves(operations.reapOrphan)
  async reap(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.reap(body, origin(request)));
  }

  @Serves(operations.setTenantBudget)
  async setBudget(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.setBudget(body, origin(request)));
  }

  @Serves(operations.clearTenantBudget)
  async clearBudget(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.clearBudget(body, origin(request)));
  }

  @Serves(operations.approveRollout)
  async approveRollout(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.rollout('approve', body, origin(request)));
  }

  @Serves(operations.rejectRollout)
  async rejectRollout(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.rollout('reject', body, origin(request)));
  }

  @Serves(operations.abortRollout)
  async abortRollout(@Body() body: unknown, @Req() request: IntentRequest): Promise<Accepted> {
    return acceptedOrProblem(await this.intents.rollout('abort', body, origin(request)));
  }
}

/** Headers that an intent reads, and who sent it; others may be there. */
interface IntentRequest extends AskedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

function origin({ headers, principal }: IntentRequest): IntentOrigin {
  const { 'idempotency-key': key, traceparent } = headers;
  return {
    channel: 'http',
    preconditions: headerPreconditions(headers),
    // Where nobody has to say who they are, they may say it in the intent.
    ...(principal === undefined || principal === LOCAL_PRINCIPAL ? {} : { asker: principal }),
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
