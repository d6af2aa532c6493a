import type { IntentAnswer } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Body, Controller, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import { INTENT_HANDLER } from '../tokens.js';
import type { IntentHandler } from './intent-handler.js';
import { type IntentOrigin, TRACEPARENT } from './intent.js';

/** Intents over HTTP. The answer comes after its event is in the log. */
@Controller('v1/intents')
export class IntentsController {
  constructor(@Inject(INTENT_HANDLER) private readonly intents: IntentHandler) {}

  @Post('deployment/apply')
  @HttpCode(202)
  async apply(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.apply(body, origin(headers)));
  }

  @Post('deployment/delete')
  @HttpCode(202)
  async delete(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.delete(body, origin(headers)));
  }

  @Post('deployment/cancel')
  @HttpCode(202)
  async cancel(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.cancel(body, origin(headers)));
  }

  @Post('deployment/retry')
  @HttpCode(202)
  async retry(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.retry(body, origin(headers)));
  }

  @Post('fleet/thaw')
  @HttpCode(202)
  async thaw(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.thaw(body, origin(headers)));
  }

  @Post('orphan/reap')
  @HttpCode(202)
  async reap(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.reap(body, origin(headers)));
  }

  @Post('tenant/set-budget')
  @HttpCode(202)
  async setBudget(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.setBudget(body, origin(headers)));
  }

  @Post('tenant/clear-budget')
  @HttpCode(202)
  async clearBudget(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.clearBudget(body, origin(headers)));
  }

  @Post('rollout/approve')
  @HttpCode(202)
  async approveRollout(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.rollout('approve', body, origin(headers)));
  }

  @Post('rollout/reject')
  @HttpCode(202)
  async rejectRollout(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.rollout('reject', body, origin(headers)));
  }

  @Post('rollout/abort')
  @HttpCode(202)
  async abortRollout(@Body() body: unknown, @Headers() headers: IntentHeaders): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.rollout('abort', body, origin(headers)));
  }
}

/** Headers that an intent reads; others may be there. */
type IntentHeaders = Readonly<Record<string, string | undefined>>;

function origin({ 'idempotency-key': key, traceparent }: IntentHeaders): IntentOrigin {
  return {
    channel: 'http',
    ...(key === undefined || key === '' ? {} : { idempotencyKey: key }),
    ...(traceparent !== undefined && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}

/** What is wrong about the content itself, whatever the state; a state that refuses what is asked is a conflict. */
const STATUS: Readonly<Record<string, number>> = { 'invalid-intent': 422, 'invalid-spec': 422, 'not-found': 404 };
const CONFLICT = 409;

function acceptedOrProblem(answer: IntentAnswer): IntentAnswer {
  if (answer.outcome === 'accepted') return answer;
  const { code, detail, problems, intentId, position, outcome } = answer;
  throw new ProblemError(STATUS[code] ?? CONFLICT, code, 'The intent was not accepted', detail, problems, {
    outcome,
    intentId,
    position,
  });
}
