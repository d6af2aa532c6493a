import { lifecycleProjection } from '@davit/domain';
import type { AuditReport, VersionedProjection } from '@davit/projection';
import { Inject, Injectable } from '@nestjs/common';
import * as token from '../tokens.js';

export interface ProjectionAudit extends AuditReport {
  readonly projection: string;
  readonly version: number;
}

/** Asks the projection to prove itself against the log. An audit reads the whole log, so callers share one. */
@Injectable()
export class ServiceAudit {
  private running: Promise<ProjectionAudit> | undefined;

  constructor(@Inject(token.PROJECTION) private readonly projection: VersionedProjection) {}

  async run(): Promise<{ readonly projections: readonly ProjectionAudit[] }> {
    this.running ??= this.audit().finally(() => (this.running = undefined));
    return { projections: [await this.running] };
  }

  private async audit(): Promise<ProjectionAudit> {
    const { name, version } = lifecycleProjection;
    return { projection: name, version, ...(await this.projection.audit()) };
  }
}
