import { ProblemError } from '@davit/service-kit';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;

/** The parts of a reply that limits write on. */
export interface Headed {
  header(name: string, value: string | number): unknown;
}

/**
 * How often one caller may ask, counted by this instance alone: behind n instances a caller has up to n times as much, which is
 * enough to keep one of them from taking all.
 */
export class RateLimits {
  private readonly limiter: RateLimiterMemory;

  /** @param points requests a minute */
  constructor(private readonly points: number) {
    this.limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  }

  /**
   * Counts a request, and tells the caller what is left (draft-ietf-httpapi-ratelimit-headers-10).
   * @throws ProblemError 429
   */
  async count(caller: string, reply: Headed): Promise<void> {
    reply.header('ratelimit-policy', `"minute";q=${this.points};w=${WINDOW_SECONDS}`);
    const { left, seconds, isOver } = await this.taken(caller);
    reply.header('ratelimit', `"minute";r=${left};t=${seconds}`);
    if (!isOver) return;
    reply.header('retry-after', seconds);
    const detail = `${this.points} requests a minute are answered to one key; ask again in ${seconds} s.`;
    throw new ProblemError(429, 'too-many-requests', 'Too many requests', detail);
  }

  private async taken(caller: string): Promise<{ left: number; seconds: number; isOver: boolean }> {
    try {
      return told(await this.limiter.consume(caller), false);
    } catch (refusal) {
      // What refuses is an answer and no error; anything else is.
      if (refusal instanceof RateLimiterRes) return told(refusal, true);
      throw refusal;
    }
  }
}

const told = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean) => ({
  left: remainingPoints,
  seconds: Math.ceil(msBeforeNext / 1_000),
  isOver,
});
