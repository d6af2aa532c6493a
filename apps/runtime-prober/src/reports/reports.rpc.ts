import { RpcProblemError } from '@davit/bus';
import { type TrafficAnswer, subjects } from '@davit/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { TrafficDesk } from './desk.js';
import { REFUSAL, readReport } from './read.js';

/** What gateways see of their requests, over the bus. */
@Controller()
export class ReportsRpc {
  constructor(private readonly desk: TrafficDesk) {}

  @MessagePattern(subjects.rpc('runtime-prober', 'report-traffic'))
  async report(@Payload() body: unknown): Promise<TrafficAnswer> {
    const read = readReport(body);
    if (read.ok) return this.desk.take(read.report);
    throw new RpcProblemError({
      ...REFUSAL,
      type: `urn:davit:problem:${REFUSAL.code}`,
      errors: [...read.problems],
    });
  }
}
