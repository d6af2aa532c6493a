import { type RolloutVerdict, verdictsOver } from '@davit/domain';
import { WINDOW_MS } from './course.js';
import { type Kind } from './kinds.js';
import { type Trace } from './traces.js';

/** How one trace ended. */
export type Ending = {
  readonly kind: Kind;
  readonly label: Trace['label'];
  readonly verdict: RolloutVerdict['verdict'];
  /** Requests of the candidate, and time, until it was said. */
  readonly requests: number;
  readonly elapsedMs: number;
  /** Rules that decided a reject. */
  readonly rules: readonly string[];
  /** What was not proven. */
  readonly open: readonly string[];
};

/** Looks at a rollout after every window, as its controller does, until an answer is given. */
export function endingOf({ kind, label, bundle }: Trace): Ending {
  const looks = Math.ceil(bundle.policy.deadlineMs / WINDOW_MS);
  const said = verdictsOver(bundle);
  for (let look = 1; ; look++) {
    const { verdict, reasons, candidate } = said(bundle.startedAtMs + look * WINDOW_MS);
    if (verdict === 'wait' && look < looks) continue;
    return {
      ...{ kind, label, verdict, requests: candidate, elapsedMs: look * WINDOW_MS },
      rules: reasons.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule),
      open: reasons.filter(({ outcome }) => outcome === 'open').map(({ rule, detail }) => `${rule}: ${detail}`),
    };
  }
}

export type Row = {
  readonly kind: Kind;
  readonly traces: number;
  readonly accept: number;
  readonly reject: number;
  readonly wait: number;
  /** Rejected since nothing was proven in time. */
  readonly notProven: number;
  readonly falseAccepts: number;
  readonly falseRejects: number;
  readonly labelledGood: number;
  readonly requests: readonly number[];
  readonly minutes: readonly number[];
};

export function rowOf(kind: Kind, endings: readonly Ending[]): Row {
  const count = (which: (ending: Ending) => boolean): number => endings.filter(which).length;
  return {
    kind,
    traces: endings.length,
    accept: count(({ verdict }) => verdict === 'accept'),
    reject: count(({ verdict }) => verdict === 'reject'),
    wait: count(({ verdict }) => verdict === 'wait'),
    notProven: count(({ rules }) => rules.includes('not-proven')),
    falseAccepts: count(({ label, verdict }) => label === 'not-accept' && verdict === 'accept'),
    falseRejects: count(({ label, verdict }) => label === 'accept' && verdict === 'reject'),
    labelledGood: count(({ label }) => label === 'accept'),
    requests: endings.map(({ requests }) => requests),
    minutes: endings.map(({ elapsedMs }) => elapsedMs / 60_000),
  };
}
