import type { RecordedEvent } from '@davit/contracts';
import { check } from './checker.js';
import { law01 } from './law-01-log-is-dense.js';
import { law02 } from './law-02-intent-before-effect.js';
import { law03 } from './law-03-every-attempt-has-an-outcome.js';
import { law04 } from './law-04-unknown-is-a-value.js';
import { law05 } from './law-05-absence-needs-evidence.js';
import { law06 } from './law-06-identity-is-never-reused.js';
import { law07 } from './law-07-fenced.js';
import { law08 } from './law-08-level-not-edge.js';
import { law09 } from './law-09-waiting-is-not-failing.js';
import { law10 } from './law-10-failure-is-local.js';
import { law11 } from './law-11-routes-follow-proof.js';
import { law12 } from './law-12-many-deaths-mean-an-ill-observer.js';
import { law14 } from './law-14-money-is-decimal.js';
import { law15 } from './law-15-a-decision-carries-its-evidence.js';
import type { Law, LawOptions, Violation } from './violation.js';

export { AUDIT_RULES, auditLog } from './audit/index.js';
export { pausedDeploymentsRest } from './audit/paused-deployments-rest.js';
export { LawChecker, check as checkAgainst } from './checker.js';
export { DEFAULT_LAW_OPTIONS, type Law, type LawCheck, type LawOptions, type Violation } from './violation.js';

/** The laws that a log can be held against by itself. */
export const LAWS: readonly Law[] = [
  law01,
  law02,
  law03,
  law04,
  law05,
  law06,
  law07,
  law08,
  law09,
  law10,
  law11,
  law12,
  law14,
  law15,
];

/** Every violation in the log, in log order. `ended`: all deployments are deleted, so nothing may be half done. */
export const checkLaws = (
  events: Iterable<RecordedEvent>,
  options: { readonly ended: boolean } & Partial<LawOptions>,
): readonly Violation[] => check(LAWS, events, options);
