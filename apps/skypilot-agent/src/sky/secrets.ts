import { type DeploymentSpec, secretObjection } from '@davit/contracts';

/** Reads a secret of the agent's surroundings by name. */
export type SecretSource = (variable: string) => string | undefined;

export type ResolvedSecrets =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly detail: string };

/** Looks up the values of a deployment's secrets, at the last moment before they are used (law 13). */
export function resolveSecrets(secrets: DeploymentSpec['secrets'], read: SecretSource): ResolvedSecrets {
  const values: Record<string, string> = {};
  for (const { name, from } of secrets) {
    const objection = secretObjection({ name, from }, 'elastic');
    if (objection !== undefined) return { ok: false, detail: objection };
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
