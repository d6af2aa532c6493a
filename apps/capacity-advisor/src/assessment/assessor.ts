import type { Placement } from '@davit/contracts';
import type { Clock, Logger } from '@davit/ports';
import { type Advice, type StockAdvisor, adviceOf, unknownBecause } from '../advisors/advisor.js';
import { noAdvisor } from '../advisors/none.js';

/** Asks the right advisor for each placement; the same for replicas that wait and for people who plan. */
export class Assessor {
  private readonly nobody: StockAdvisor;

  constructor(
    /** By cloud. */
    private readonly advisors: ReadonlyMap<string, StockAdvisor>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly lifetimeMs: number,
  ) {
    this.nobody = noAdvisor(clock, lifetimeMs);
  }

  /** All at once, in the order asked. Never rejects: an advisor with a defect is an advisor that does not know. */
  assess(placements: readonly Placement[]): Promise<readonly Advice[]> {
    return Promise.all(placements.map((placement) => this.assessOne(placement)));
  }

  private async assessOne(placement: Placement): Promise<Advice> {
    const advisor = this.advisors.get(placement.cloud) ?? this.nobody;
    try {
      return await advisor.advise(placement);
    } catch (error) {
      this.logger.error({ source: advisor.source, placement, err: error }, 'stock advisor failed');
      const verdict = unknownBecause(`the advisor ${advisor.source} has a defect`, 'outage');
      return adviceOf(verdict, advisor.source, this.clock.nowMs(), this.lifetimeMs);
    }
  }
}
