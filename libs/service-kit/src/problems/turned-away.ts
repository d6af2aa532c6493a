import { type Clock, type Logger, systemClock } from '@davit/ports';
import type { ProblemError } from './problem-error.js';

const QUIET_MS = 10_000;

/**
 * Tells of requests that were turned away on purpose, such as those that there is no room for. Each reason is told at once, and then
 * again every ten seconds at most with how often it held meanwhile: where there is too much to do, telling has to cost little.
 */
export class TurnedAway {
  private readonly told = new Map<string, { readonly atMs: number; untold: number }>();

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Pick<Clock, 'nowMs'> = systemClock,
  ) {}

  tell({ code, status, message }: ProblemError, request: { readonly method: string; readonly path: string }): void {
    const nowMs = this.clock.nowMs();
    const before = this.told.get(code);
    if (before && nowMs - before.atMs < QUIET_MS) {
      before.untold += 1;
      return;
    }
    this.told.set(code, { atMs: nowMs, untold: 0 });
    const more = before?.untold ?? 0;
    this.logger.warn({ code, status, ...request, why: message, more }, 'request turned away');
  }
}
