import { LawChecker } from '../checker.js';
import type { Law, LawOptions } from '../violation.js';
import { intentsWithoutOutcome } from './intents-without-outcome.js';
import { mutationsWithoutIntent } from './mutations-without-intent.js';
import { overlappingOwners } from './overlapping-owners.js';
import { pausedDeploymentsRest } from './paused-deployments-rest.js';
import { routesWithoutProof } from './routes-without-proof.js';

/** What users ask of their own log, beside the laws. */
export const AUDIT_RULES: readonly Law[] = [
  mutationsWithoutIntent,
  intentsWithoutOutcome,
  overlappingOwners,
  routesWithoutProof,
  pausedDeploymentsRest,
];

/** A pass over a user's log: the given laws and rules, the audit's own by default. */
export const auditLog = (options: Partial<LawOptions> = {}, rules: readonly Law[] = AUDIT_RULES): LawChecker =>
  new LawChecker(rules, options);
