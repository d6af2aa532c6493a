import type { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment does not describe a service that can run. The message lists every mistake with its remedy. */
export class ConfigError extends Error {
  readonly code = 'invalid-config';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the variables a schema names. An empty variable counts as not set, as shells and compose files leave it.
 * @throws ConfigError naming each wrong variable, its value (unless it may be secret) and the remedy
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, environment: Environment): z.output<Schema> {
  const given: Record<string, string> = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => describe(issue, given)));
}

function describe(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0] ?? '?');
  const value = given[name];
  if (value === undefined) return `${name} is not set. ${wanted(issue)}`;
  return `${name}: ${shown(name, value)} ${wanted(issue)}`;
}

const MAY_BE_SECRET = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/;

/** Secrets must not reach a terminal or a log; an address may carry a password. */
function shown(name: string, value: string): string {
  if (MAY_BE_SECRET.test(name)) return 'the value (not shown)';
  const text = value.replace(/\/\/[^@/]*@/g, '//…@');
  return `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`;
}

/** Schemas of configuration state the remedy as their error text; the rest is said in zod's words. */
function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `is not one of: ${issue.values.map(String).join(', ')}.`;
  return issue.message.endsWith('.') ? issue.message : `is not valid: ${issue.message}.`;
}
