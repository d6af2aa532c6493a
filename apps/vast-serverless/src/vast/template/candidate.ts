import { createHash } from 'node:crypto';
import { type DeploymentSpec, isControlPlaneVariable, secretObjection, type TemplateContent } from '@davit/contracts';
import type { TemplateBody } from '../api/templates.js';
import { Secret } from '../wire/secret.js';
import { splitImage } from './content.js';

/** Reads a value of this process's surroundings by name. */
export type SecretSource = (variable: string) => string | undefined;

/** A template that is to be made, without any value of a secret: fit for events. */
export interface TemplateCandidate {
  /** Unique: what it is for, and a digest of its content. Creating may give back a template of the same name. */
  readonly name: string;
  /** SHA-256 of the content, secrets by the names that they come from. */
  readonly digest: string;
  readonly image: string;
  /** Every variable that the container sees. */
  readonly envNames: readonly string[];
}

export type SealedBody =
  | { readonly ok: true; readonly body: Secret<TemplateBody>; readonly values: readonly string[] }
  | { readonly ok: false; readonly detail: string };

type Secrets = DeploymentSpec['secrets'];

/** Secrets that the container gets. Vast's own key, which the prober sends to Vast's own address, is none of them. */
const inTemplate = (secrets: Secrets): Secrets =>
  secrets.filter(({ from }) => !isControlPlaneVariable(from.env, 'elastic'));

/** @param purpose what begins the name, for example the external key of the endpoint, or the id of a rollout */
export function candidateOf(purpose: string, content: TemplateContent, secrets: Secrets): TemplateCandidate {
  const references = inTemplate(secrets).map(({ name, from }) => [name, from.env] as const);
  const canonical = JSON.stringify([
    content.image,
    Object.entries(content.env).toSorted(byName),
    references.toSorted(byName),
    content.ports.toSorted((a, b) => a - b),
    ...[content.onStart, content.args, content.diskGiB],
  ]);
  const digest = createHash('sha256').update(canonical).digest('hex');
  return {
    name: `${purpose.replace(/[^A-Za-z0-9_-]+/g, '-')}-${digest.slice(0, 12)}`,
    digest,
    image: content.image,
    envNames: [...Object.keys(content.env), ...references.map(([name]) => name)].toSorted(),
  };
}

/** The body with its secrets, resolved now; it is not kept. */
export function bodyOf(name: string, content: TemplateContent, secrets: Secrets, read: SecretSource): SealedBody {
  const values: Record<string, string> = {};
  for (const secret of inTemplate(secrets)) {
    const objection = secretObjection(secret, 'serverless');
    if (objection !== undefined) return { ok: false, detail: objection };
    const value = read(secret.from.env);
    if (value === undefined || value === '') {
      const where = `${secret.from.env}, which is not set; set it where vast-serverless runs`;
      return { ok: false, detail: `secret ${secret.name} comes from ${where}` };
    }
    values[secret.name] = value;
  }
  const variables = Object.entries({ ...content.env, ...values }).toSorted(byName);
  const unusable = variables.find(([, value]) => /[\n\r\0]/.test(value));
  if (unusable) return { ok: false, detail: `variable ${unusable[0]} has more than one line, which no template takes` };
  const flags = [
    ...variables.map(([variable, value]) => `-e ${variable}=${quoted(value)}`),
    ...content.ports.map((port) => `-p ${port}:${port}`),
  ];
  const body: TemplateBody = {
    name,
    ...splitImage(content.image),
    env: flags.join(' '),
    onstart: content.onStart ?? '',
    runtype: 'args',
    args_str: content.args ?? '',
    recommended_disk_space: content.diskGiB,
  };
  return { ok: true, body: new Secret(body), values: Object.values(values) };
}

const quoted = (value: string): string =>
  /^[\w./:@%+,=-]+$/.test(value) ? value : `"${value.replace(/(["\\$`])/g, '\\$1')}"`;

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1);
