import { counted } from '@davit/contracts';
import { type Accepted, type Refused, declare } from './declare.js';
import { activeOr, refused } from './orders.js';
import type { DeploymentState } from '../lifecycle/state.js';

/**
 * Decides on a wish for another number of replicas: as if what is declared were declared again with that number, so that all that
 * holds for a declaration holds for it.
 */
export function scale(present: DeploymentState | undefined, replicas: number, intentId: string): Accepted | Refused {
  const state = activeOr(present);
  if ('outcome' in state) return state;
  const { compute, scaling } = state.spec.spec;
  if (compute.mode === 'direct' && replicas > compute.endpoints.length) {
    return refused(
      'too-few-endpoints',
      `${state.key} lists ${counted(compute.endpoints.length, 'endpoint')}, and ${replicas} replicas need one each`,
      'Declare it with an endpoint for each replica, or ask for fewer.',
    );
  }
  if (compute.mode === 'serverless' && replicas > 1) {
    return refused(
      'scaled-by-provider',
      `${state.key} is one serverless endpoint, whose workers the provider scales`,
      'Declare it with other spec.compute.workers.',
    );
  }
  return declare(state, { ...state.spec, spec: { ...state.spec.spec, scaling: { ...scaling, replicas } } }, intentId);
}
