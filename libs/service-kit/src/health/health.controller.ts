import { Controller, Get, Inject, Res } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { ServiceAudit } from './service-audit.js';
import { ServiceHealth } from './service-health.js';

/** The parts of a Fastify reply used here. */
interface Reply {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
}

/** What supervisors and monitoring ask. */
@Controller()
export class HealthController {
  constructor(
    @Inject(ServiceHealth) private readonly health: ServiceHealth,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(ServiceAudit) private readonly audit: ServiceAudit,
  ) {}

  /** The event loop turns: it answers. */
  @Get('livez')
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: Reply): Promise<unknown> {
    const report = await this.health.report();
    reply.code(report.status === 'not-ready' ? 503 : 200);
    return report;
  }

  @Get('metrics')
  async scrape(@Res({ passthrough: true }) reply: Reply): Promise<string> {
    reply.header('content-type', this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }

  /** Rebuilds each projection beside the live one and names the first position at which they differ. */
  @Get('audit/projections')
  projections(): Promise<unknown> {
    return this.audit.run();
  }
}
