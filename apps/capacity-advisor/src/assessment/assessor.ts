import { type Clock, type Logger, sleep } from '@davit/ports';
import { type Advice, type StockAdvisor, type StockQuestion, adviceOf, unknownBecause } from '../advisors/advisor.js';
import type { HealthCheck } from '@davit/service-kit';
import { noAdvisor } from '../advisors/none.js';
import type { PriceBook } from '../prices/price-book.js';
import { type OfferHistory, withConfidence } from './confidence.js';

export type AssessorParts = {
  /** By cloud. */
  readonly advisors: ReadonlyMap<string, StockAdvisor>;
  /** For clouds that have no advisor of their own. */
  readonly others?: StockAdvisor;
  /** Gives signals the price that counts; without it they keep what the advisor quoted. */
  readonly prices?: PriceBook;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifetimeMs: number;
  /** Told of each answer, by whose it is. */
  readonly onAnswer?: (advice: Advice) => void;
};

export type AssessOptions = {
  /** Answers that take longer are unknown; those that came are given all the same. */
  readonly patienceMs?: number;
  /** What own history knows of offers; without it no confidence is attached. */
  readonly history?: OfferHistory;
};

/** Asks the right advisor for each placement; the same for replicas that wait and for people who plan. */
export class Assessor {
  private readonly others: StockAdvisor;

  constructor(private readonly parts: AssessorParts) {
    this.others = parts.others ?? noAdvisor(parts.clock, parts.lifetimeMs);
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  /** All at once, in the order asked. Never rejects: an advisor with a defect is an advisor that does not know. */
  assess(questions: readonly StockQuestion[], { patienceMs, history }: AssessOptions = {}): Promise<readonly Advice[]> {
    return Promise.all(
      questions.map(async (question) => {
        const heard = await this.inTime(question, patienceMs);
        this.parts.onAnswer?.(heard);
        const advice = await this.priced(heard, question);
        return history ? this.believed(advice, question, history) : advice;
      }),
    );
  }

  /** The same text for questions that are one to their provider; null where nobody is asked. */
  exchangeOf(question: StockQuestion): string | null {
    return this.advisorOf(question).exchangeOf(question);
  }

  /** Whether prices come from where they should: an operator's table that is broken prices as it did before, and shows only here. */
  async checkPrices(): Promise<HealthCheck> {
    const faults = (await this.parts.prices?.faults()) ?? [];
    return { name: 'prices', required: false, ok: faults.length === 0, detail: faults.length === 0 ? {} : { faults } };
  }

  private async priced(advice: Advice, { placement }: StockQuestion): Promise<Advice> {
    const { prices } = this.parts;
    return prices ? { ...advice, ...(await prices.priced(placement, advice.signal)) } : advice;
  }

  /** Advice that nothing is known about is better than none. */
  private async believed(advice: Advice, { placement }: StockQuestion, history: OfferHistory): Promise<Advice> {
    try {
      return withConfidence(advice, await history(placement), this.parts.clock.nowMs());
    } catch (error) {
      this.parts.logger.warn({ placement, err: error }, 'the history of an offer could not be read');
      return advice;
    }
  }

  private async inTime(question: StockQuestion, patienceMs: number | undefined): Promise<Advice> {
    if (patienceMs === undefined) return this.assessOne(question);
    const late = new AbortController();
    const tooLate = sleep(this.parts.clock, patienceMs, late.signal).then(() =>
      this.unknown(question, `no answer within ${patienceMs} ms; ask again for it`),
    );
    try {
      return await Promise.race([this.assessOne(question), tooLate]);
    } finally {
      late.abort();
    }
  }

  private async assessOne(question: StockQuestion): Promise<Advice> {
    const advisor = this.advisorOf(question);
    try {
      return await advisor.advise(question);
    } catch (error) {
      this.parts.logger.error(
        { source: advisor.source, placement: question.placement, err: error },
        'stock advisor failed',
      );
      return this.unknown(question, `the advisor ${advisor.source} has a defect`);
    }
  }

  private unknown(question: StockQuestion, detail: string): Advice {
    const { clock, lifetimeMs } = this.parts;
    const { source } = this.advisorOf(question);
    const stamp = { source, observedAtMs: clock.nowMs(), lifetimeMs };
    return adviceOf(unknownBecause(detail, 'outage'), question, stamp);
  }

  private advisorOf({ placement }: StockQuestion): StockAdvisor {
    return this.parts.advisors.get(placement.cloud) ?? this.others;
  }
}
