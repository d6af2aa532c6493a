import type { RecordedEvent } from '@davit/contracts';
import { law01 } from './law-01-log-is-dense.js';
import { law02 } from './law-02-intent-before-effect.js';
import { law03 } from './law-03-every-attempt-has-an-outcome.js';
import { law05 } from './law-05-absence-needs-evidence.js';
import { law06 } from './law-06-identity-is-never-reused.js';
import { law07 } from './law-07-fenced.js';
import { law08 } from './law-08-level-not-edge.js';
import { law11 } from './law-11-routes-follow-proof.js';
import type { Law, Violation } from './violation.js';

export type { Law, Violation } from './violation.js';

/** The laws that a log can be held against by itself. */
export const LAWS: readonly Law[] = [law01, law02, law03, law05, law06, law07, law08, law11];

/** Every violation in the log, in log order. `ended`: all deployments are deleted, so nothing may be half done. */
export function checkLaws(
  events: readonly RecordedEvent[],
  options: { readonly ended: boolean },
): readonly Violation[] {
  return LAWS.flatMap((law) => law.check(events, options.ended)).toSorted((a, b) => a.position - b.position);
}
