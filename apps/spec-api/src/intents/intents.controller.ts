import type { IntentAnswer } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Body, Controller, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import { INTENT_HANDLER } from '../tokens.js';
import type { IntentHandler } from './intent-handler.js';
import { type IntentOrigin, TRACEPARENT } from './intent.js';

/** Intents over HTTP. The answer comes after its event is in the log. */
@Controller('v1/intents/deployment')
export class IntentsController {
  constructor(@Inject(INTENT_HANDLER) private readonly intents: IntentHandler) {}

  @Post('apply')
  @HttpCode(202)
  async apply(
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
    @Headers('traceparent') traceparent?: string,
  ): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.apply(body, origin(key, traceparent)));
  }

  @Post('delete')
  @HttpCode(202)
  async delete(
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
    @Headers('traceparent') traceparent?: string,
  ): Promise<IntentAnswer> {
    return acceptedOrProblem(await this.intents.delete(body, origin(key, traceparent)));
  }
}

const origin = (key: string | undefined, traceparent: string | undefined): IntentOrigin => ({
  channel: 'http',
  ...(key === undefined || key === '' ? {} : { idempotencyKey: key }),
  ...(traceparent !== undefined && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
});

const STATUS: Readonly<Record<string, number>> = { 'idempotency-conflict': 409, 'mode-change': 409, 'not-found': 404 };

function acceptedOrProblem(answer: IntentAnswer): IntentAnswer {
  if (answer.outcome === 'accepted') return answer;
  const { code, detail, problems, intentId, position, outcome } = answer;
  throw new ProblemError(STATUS[code] ?? 422, code, 'The intent was not accepted', detail, problems, {
    outcome,
    intentId,
    position,
  });
}
