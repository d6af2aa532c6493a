import type { EffectStep } from '@davit/domain';
import type { ReconcileResult } from '@davit/reconcile';
import { proveCandidate } from './canary/prove.js';
import type { CanaryDriver } from './canary/drive.js';
import { beginRamp } from './jobs/ramp.js';
import { applyBounds } from './steps/apply-bounds.js';
import { requestApproval } from './steps/approval.js';
import { recordBaseline } from './steps/baseline.js';
import { workOutBounds } from './steps/bounds.js';
import { judgeCandidate } from './steps/judge.js';
import { observeRollback, observeWorkers, reportNotConverged } from './steps/observe.js';
import { resolveRollback, rollBack } from './steps/roll-back.js';
import { prepareTemplate, resolveTemplate } from './steps/template.js';
import { resolveUpdate, update } from './steps/update.js';
import type { Turn } from './turn.js';

/** Does the one step that the log says is due. */
export function perform(turn: Turn, step: EffectStep, canary: CanaryDriver): Promise<ReconcileResult> {
  switch (step.do) {
    case 'prepare-template':
      return prepareTemplate(turn, step.attempt);
    case 'resolve-template':
      return resolveTemplate(turn, step.attempt);
    case 'launch-canary':
    case 'resolve-canary':
    case 'remove-canary':
      return canary(turn);
    case 'prove-candidate':
      return proveCandidate(turn, canary);
    case 'work-out-bounds':
      return workOutBounds(turn);
    case 'apply-bounds':
      return applyBounds(turn, step.to, step.bounds);
    case 'run-load':
      return beginRamp(turn, step.ramp, step.attempt);
    case 'record-baseline':
      return recordBaseline(turn);
    case 'request-approval':
      return requestApproval(turn, step.required, step.deadlineAt);
    case 'update':
      return update(turn, step);
    case 'resolve-update':
      return resolveUpdate(turn, step.attempt);
    case 'observe-workers':
      return observeWorkers(turn);
    case 'report-not-converged':
      return reportNotConverged(turn, step.detail);
    case 'judge':
      return judgeCandidate(turn);
    case 'roll-back':
      return rollBack(turn, step);
    case 'resolve-rollback':
      return resolveRollback(turn, step.attempt);
    case 'observe-rollback':
      return observeRollback(turn);
  }
}
