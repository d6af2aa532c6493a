import { type Bus, request } from '@davit/bus';
import { type Placement, type StockSignal, assessAnswer, subjects } from '@davit/contracts';

export interface Advice {
  readonly signals: ReadonlyMap<number, StockSignal>;
  /** Why signals are missing; null when the advisor answered. */
  readonly missing: string | null;
}

/**
 * Asks about every rung of a ladder at once, on machines with so much disk. It never throws: advice that does not come is
 * unknown, not a failure.
 */
export type Assess = (placements: readonly Placement[], diskGiB?: number) => Promise<Advice>;

export const assessOverBus =
  (bus: Bus, timeoutMs: number): Assess =>
  async (placements, diskGiB) => {
    if (placements.length === 0) return { signals: new Map(), missing: null };
    if (!bus.status().connected) return unknown('the bus is not connected');
    const subject = subjects.rpc('capacity-advisor', 'assess');
    try {
      const question = { placements, ...(diskGiB === undefined ? {} : { diskGiB }) };
      const reply = await request(bus, subject, question, { timeoutMs, reply: assessAnswer });
      switch (reply.outcome) {
        case 'answered':
          return { signals: new Map(reply.body.signals.map(({ rung, signal }) => [rung, signal])), missing: null };
        case 'refused':
          return unknown(`capacity-advisor: ${reply.problem.detail ?? reply.problem.title}`);
        case 'no-responders':
          return unknown('capacity-advisor is not running');
        case 'timeout':
          return unknown(`advice timed out after ${timeoutMs} ms`);
        case 'invalid':
          return unknown('capacity-advisor gave an answer that cannot be read');
      }
    } catch (error) {
      return unknown(error instanceof Error ? error.message : String(error));
    }
  };

const unknown = (reason: string): Advice => ({ signals: new Map(), missing: reason });
