import { type FieldProblem, NAME_PATTERN } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Refuses parameters that nobody reads: a misspelt filter must not become no filter. */
export function onlyKnown(query: Query, known: readonly string[]): void {
  const problems = Object.keys(query)
    .filter((name) => !known.includes(name))
    .slice(0, 20)
    .map((name) => ({
      path: `?${name.slice(0, 80)}`,
      message: 'is not a known parameter',
      remedy: `Known: ${known.length === 0 ? 'none' : known.join(', ')}.`,
    }));
  if (problems.length > 0) throw badRequest(problems);
}

/** A whole number of the query; `otherwise` when it is not there. */
export function wholeNumber(query: Query, name: string, otherwise: number, maximum = Number.MAX_SAFE_INTEGER): number {
  const text = single(query, name);
  if (text === undefined) return otherwise;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= maximum) return value;
  throw badRequest([
    {
      path: `?${name}`,
      message: `${JSON.stringify(text.slice(0, 60))} is not a whole number from 0 to ${maximum}`,
      remedy: `Write for example ?${name}=${otherwise}.`,
    },
  ]);
}

/** How many at most; nobody asks for none. */
export function countOf(query: Query, name: string, otherwise: number, maximum: number): number {
  const text = single(query, name);
  if (text === undefined) return otherwise;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= maximum) return value;
  throw badRequest([
    {
      path: `?${name}`,
      message: `${JSON.stringify(text.slice(0, 60))} is not a whole number from 1 to ${maximum}`,
      remedy: `Write for example ?${name}=${otherwise}.`,
    },
  ]);
}

export function oneOf(query: Query, name: string, values: readonly string[]): string | undefined {
  const text = single(query, name);
  if (text === undefined || values.includes(text)) return text;
  throw badRequest([
    {
      path: `?${name}`,
      message: `${JSON.stringify(text.slice(0, 60))} is not one of the accepted values`,
      remedy: `Write one of: ${values.join(', ')}.`,
    },
  ]);
}

/** `tenant/name`, or a name of the default tenant, as a deployment's key. */
export function deploymentKey(query: Query, name: string): string | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  const parts = text.split('/');
  const [tenant, deployment] = parts.length === 2 ? parts : ['default', text];
  if ([tenant, deployment].every((part) => part !== undefined && NAME_PATTERN.test(part))) {
    return `${tenant ?? ''}/${deployment ?? ''}`;
  }
  throw badRequest([
    {
      path: `?${name}`,
      message: `${JSON.stringify(text.slice(0, 60))} is not a deployment`,
      remedy: 'Write NAME or TENANT/NAME.',
    },
  ]);
}

export function single(query: Query, name: string): string | undefined {
  const value = query[name];
  const text = typeof value === 'object' ? value.at(-1) : value;
  if (text?.includes('\0') !== true) return text;
  throw badRequest([{ path: `?${name}`, message: 'holds a NUL character', remedy: 'Write plain text.' }]);
}

export const badRequest = (problems: readonly FieldProblem[]): ProblemError =>
  new ProblemError(
    400,
    'invalid-request',
    'The request is not valid',
    problems.map(({ path, message }) => `${path} ${message}`).join('; '),
    problems,
  );
