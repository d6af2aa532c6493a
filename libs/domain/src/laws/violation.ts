import type { RecordedEvent } from '@davit/contracts';
import { DEFAULT_LOSS_LIMITS, type LossLimits } from '../fleet/limits.js';

/** A place in a log where a law does not hold. */
export type Violation = {
  readonly law: string;
  readonly position: number;
  readonly about: string;
  readonly message: string;
  /** Other positions that the judgement rests on, oldest first. */
  readonly evidence: readonly number[];
};

/** What a log is held against beside the laws: how the system that wrote it was configured. */
export type LawOptions = {
  /** Least time between the two observations that prove absence. */
  readonly absenceSpacingMs: number;
  /** How far the clocks of services and of the log may be apart. */
  readonly clockSkewMs: number;
  /** What is due may be late by this much, since whoever does it may be down for a while. */
  readonly graceMs: number;
  readonly losses: LossLimits;
};

export const DEFAULT_LAW_OPTIONS: LawOptions = {
  absenceSpacingMs: 500,
  clockSkewMs: 5_000,
  graceMs: 15 * 60_000,
  losses: DEFAULT_LOSS_LIMITS,
};

/** One pass over one log. Work is the same for each event however long the log is; what is settled is forgotten. */
export type LawCheck = {
  /** The violations that this event completes. Events come in log order. */
  see(event: RecordedEvent): readonly Violation[];
  /**
   * What is wrong about the log ending here. `ended`: everything was deleted, so that nothing may be left half done. `nowMs`: when
   * the log is read, where that matters; by default the time of its last event.
   */
  end(ended: boolean, nowMs?: number): readonly Violation[];
};

export type Law = { readonly name: string; open(options?: Partial<LawOptions>): LawCheck };

export type Report = (
  at: { readonly position: number },
  about: string,
  message: string,
  evidence?: readonly number[],
) => void;

/** A law's own part of a pass: what it remembers, and what it reports. */
export type Rules = {
  see(event: RecordedEvent): void;
  end?(ended: boolean, nowMs: number): void;
};

const NONE: readonly Violation[] = [];

/** Makes a law of its rules. */
export function defineLaw(name: string, rulesOf: (report: Report, options: LawOptions) => Rules): Law {
  return {
    name,
    open(options = {}) {
      let found: Violation[] = [];
      let lastTime = '';
      const rules = rulesOf(
        ({ position }, about, message, evidence = []) =>
          void found.push({ law: name, position, about, message, evidence: evidence.toSorted((a, b) => a - b) }),
        { ...DEFAULT_LAW_OPTIONS, ...options },
      );
      const taken = (): readonly Violation[] => {
        if (found.length === 0) return NONE;
        const all = found;
        found = [];
        return all;
      };
      return {
        see(event) {
          lastTime = event.time;
          rules.see(event);
          return taken();
        },
        end(ended, nowMs) {
          rules.end?.(ended, nowMs ?? (lastTime === '' ? 0 : Date.parse(lastTime)));
          return taken();
        },
      };
    },
  };
}

const PROVIDER_FACT = /^davit\.(?:resource|endpoint)\.(.+)$/;
const factNames = new Map<string, string | undefined>();

/** `davit.resource.launch-attempted` and `davit.endpoint.launch-attempted` → `launch-attempted`; undefined for other categories. */
export function providerFact({ type }: RecordedEvent): string | undefined {
  if (factNames.has(type)) return factNames.get(type);
  const fact = PROVIDER_FACT.exec(type)?.[1];
  factNames.set(type, fact); // as many entries as the catalogue has types
  return fact;
}

/** External key of a provider fact; for an orphan, the key of the stream that it has for itself. */
export const keyOf = (event: RecordedEvent): string => event.stream.slice(event.stream.indexOf('/') + 1);

export type Outcome = 'attempted' | 'accepted' | 'refused' | 'unknown';

/** The step of an attempt that a fact tells of: `launch-unknown`, attempt 2 → launch, unknown, 2. */
export function attemptStep(
  event: RecordedEvent,
): { readonly effect: 'launch' | 'delete'; readonly outcome: Outcome; readonly attempt: number } | undefined {
  const fact = providerFact(event);
  if (fact === undefined || !('attempt' in event.data)) return undefined;
  const effect = fact.startsWith('launch-') ? 'launch' : fact.startsWith('delete-') ? 'delete' : undefined;
  if (effect === undefined) return undefined;
  const outcome = fact.slice('launch-'.length) as Outcome; // both effects have these four outcomes, and names of one length
  return { effect, outcome, attempt: event.data.attempt };
}

/** Did the writer of `event` know what stands at `position`? Without a word about it, everything before it. */
export const knew = (event: RecordedEvent, position: number): boolean =>
  position <= (event.basedonposition ?? event.position);
