import type { TrafficAnswer } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { TrafficDesk } from './desk.js';
import { REFUSAL, readReport } from './read.js';

/** What gateways see of their requests, over HTTP. */
@Controller('v1/traffic-reports')
export class ReportsController {
  constructor(private readonly desk: TrafficDesk) {}

  @Post()
  @HttpCode(202)
  report(@Body() body: unknown): Promise<TrafficAnswer> {
    const read = readReport(body);
    if (read.ok) return this.desk.take(read.report);
    const { status, code, title, detail } = REFUSAL;
    throw new ProblemError(status, code, title, detail, read.problems);
  }
}
