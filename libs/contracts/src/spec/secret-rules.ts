import type { Compute, DeploymentSpec } from './deployment.js';

/** Variables that hold credentials of the control plane itself; no specification may have them sent anywhere. */
const CONTROL_PLANE = /^(DATABASE_URL|DAVIT_RUN_TOKEN|RUNPOD_API_KEY|(NATS|PG|POSTGRES|SKYPILOT|VAST).*)$/;
/** Names that steer the programs of a machine, or `sky`, rather than give a model server a value. */
const STEERING = /^(PATH|HOME|LANG|LC_.*|LD_.*|DYLD_.*|PYTHON.*|NODE_.*|BASH_.*|ENV|IFS|SHELL|TMPDIR|SKYPILOT_.*)$/;

/** Names that a model server's variable must not have. */
export const isReservedSecretName = (name: string): boolean => STEERING.test(name);

/** Whether a variable belongs to the control plane. A Vast endpoint answers to Vast's own key, which goes nowhere else. */
export function isControlPlaneVariable(variable: string, mode: Compute['mode']): boolean {
  return CONTROL_PLANE.test(variable) && !(mode === 'serverless' && variable === 'VAST_API_KEY');
}

/** Why a secret may not be resolved for a deployment; undefined when it may. Asked again at every last hop (law 13). */
export function secretObjection(
  { name, from }: DeploymentSpec['secrets'][number],
  mode: Compute['mode'],
): string | undefined {
  if (isReservedSecretName(name)) return `secret ${name} has a name that is reserved; give it another`;
  if (!isControlPlaneVariable(from.env, mode)) return undefined;
  return `secret ${name} asks for ${from.env}, which belongs to the control plane`;
}
