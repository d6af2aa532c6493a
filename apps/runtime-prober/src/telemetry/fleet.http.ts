import { Controller, Get, Inject, Res } from '@nestjs/common';
import { FleetBook } from './fleet-book.js';

/** The part of a Fastify reply used here. */
interface Reply {
  header(name: string, value: string): Reply;
}

/** Metrics of the replicas that this instance probes; a path of its own, for they may be many and are scraped apart. */
@Controller()
export class FleetMetricsController {
  constructor(@Inject(FleetBook) private readonly book: FleetBook) {}

  @Get('metrics/fleet')
  async scrape(@Res({ passthrough: true }) reply: Reply): Promise<string> {
    const { registry } = this.book.metrics;
    reply.header('content-type', registry.contentType);
    return registry.metrics();
  }
}
