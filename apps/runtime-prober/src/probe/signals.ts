import { MAX_SIGNALS, type ReadinessSignal } from '@davit/contracts';
import type { HttpOutcome } from '@davit/ports';
import { printable } from './findings.js';

const SAID_LENGTH = 500;

/** Collects what each source says of a server, with the time at which it did. */
export class Signals {
  private readonly heard: ReadinessSignal[];

  /** @param nowMs the time of the log, by which all times in it are */
  constructor(
    private readonly nowMs: () => number,
    before: readonly ReadinessSignal[] = [],
  ) {
    this.heard = [...before];
  }

  note(source: ReadinessSignal['source'], said: string): void {
    const observedAt = new Date(this.nowMs()).toISOString();
    this.heard.push({ source, observedAt, said: printable(said, SAID_LENGTH) });
  }

  /** The latest, oldest first. */
  all(): readonly ReadinessSignal[] {
    return this.heard.slice(-MAX_SIGNALS);
  }
}

/** `/health answered 200 in 3 ms`. */
export function describeExchange(path: string, outcome: HttpOutcome, tookMs: number): string {
  const took = `${Math.round(tookMs)} ms`;
  return outcome.kind === 'response'
    ? `${path} answered ${outcome.status} in ${took}`
    : `${path}: ${outcome.reason} after ${took}, ${outcome.detail}`;
}
