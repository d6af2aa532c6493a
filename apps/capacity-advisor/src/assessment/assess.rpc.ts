import { RpcProblemError } from '@davit/bus';
import { type AssessAnswer, subjects } from '@davit/contracts';
import type { ReadModel } from '@davit/projection';
import { tokens } from '@davit/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { answerAssess } from './answer.js';
import { Assessor } from './assessor.js';
import { historyIn } from './confidence.js';

/** Questions of planners over the bus. */
@Controller()
export class AssessRpc {
  constructor(
    private readonly assessor: Assessor,
    @Inject(tokens.READ_MODEL) private readonly model: ReadModel,
  ) {}

  @MessagePattern(subjects.rpc('capacity-advisor', 'assess'))
  async assess(@Payload() question: unknown): Promise<AssessAnswer> {
    const outcome = await answerAssess(question, this.assessor, historyIn(this.model));
    if ('answer' in outcome) return outcome.answer;
    throw new RpcProblemError({
      type: 'urn:davit:problem:invalid-request',
      title: 'The question is not valid',
      status: 400,
      code: 'invalid-request',
      detail: 'the question names no placements that can be assessed',
      errors: [...outcome.problems],
    });
  }
}
