import type { DeploymentSpec } from '@davit/contracts';

/** Reads a secret of the agent's surroundings by name. */
export type SecretSource = (variable: string) => string | undefined;

export type ResolvedSecrets =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly detail: string };

/** Variables that belong to the control plane; no deployment may have them handed to its machines. */
const CONTROL_PLANE = /^(DAVIT_|SKYPILOT_|NATS_|DATABASE_|PG|VAST_|RUNPOD_API_KEY$)/;
/** Variables that steer the `sky` program itself. */
const STEERING = /^(PATH|HOME|LANG|LC_.*|LD_.*|DYLD_.*|PYTHON.*|NODE_.*|BASH_.*|ENV|IFS|SHELL|TMPDIR|SKYPILOT_.*)$/;

/** Looks up the values of a deployment's secrets, at the last moment before they are used (law 13). */
export function resolveSecrets(secrets: DeploymentSpec['secrets'], read: SecretSource): ResolvedSecrets {
  const values: Record<string, string> = {};
  for (const { name, from } of secrets) {
    if (STEERING.test(name)) {
      return { ok: false, detail: `secret ${name} has a name that is reserved; give it another` };
    }
    if (CONTROL_PLANE.test(from.env)) {
      return { ok: false, detail: `secret ${name} asks for ${from.env}, which belongs to the control plane` };
    }
    const value = read(from.env);
    if (value === undefined || value === '') {
      return {
        ok: false,
        detail: `secret ${name} comes from ${from.env}, which is not set; set it where the agent runs`,
      };
    }
    values[name] = value;
  }
  return { ok: true, values };
}

/** Values to be removed from any text about this deployment. */
export const secretValues = (secrets: DeploymentSpec['secrets'], read: SecretSource): readonly string[] =>
  secrets.flatMap(({ from }) => read(from.env) ?? []);
