import type { RecordedEvent } from '@davit/contracts';
import type { Law, LawCheck, LawOptions, Violation } from './violation.js';

/** Holds a log against laws while it is read: one event at a time, in log order. */
export class LawChecker {
  private readonly checks: readonly LawCheck[];

  constructor(laws: readonly Law[], options: Partial<LawOptions> = {}) {
    this.checks = laws.map((law) => law.open(options));
  }

  /** The violations that this event completes. */
  see(event: RecordedEvent): readonly Violation[] {
    let found: readonly Violation[] = [];
    for (const check of this.checks) {
      const violations = check.see(event);
      if (violations.length > 0) found = [...found, ...violations];
    }
    return found;
  }

  /** What is wrong about the log ending here, in log order; see {@link LawCheck.end}. */
  end(ended: boolean, nowMs?: number): readonly Violation[] {
    return this.checks.flatMap((check) => check.end(ended, nowMs)).toSorted((a, b) => a.position - b.position);
  }
}

/** Every violation of these laws in a whole log, in log order. */
export function check(
  laws: readonly Law[],
  events: Iterable<RecordedEvent>,
  { ended, ...options }: { readonly ended: boolean } & Partial<LawOptions>,
): readonly Violation[] {
  const checker = new LawChecker(laws, options);
  const found: Violation[] = [];
  for (const event of events) found.push(...checker.see(event));
  found.push(...checker.end(ended));
  return found.toSorted((a, b) => a.position - b.position);
}
