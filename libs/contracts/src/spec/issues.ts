import type { z } from 'zod';
import type { FieldProblem } from '../problem.js';
import { cut, formatPath, preview, valueAt } from './field-path.js';
import { knownKeysAt } from './known-keys.js';
import { nearestName } from './nearest.js';

/** More mistakes than anyone reads at once; the rest shows when these are mended. */
export const MAX_PROBLEMS = 50;

export interface DescribeOptions {
  /** True for places whose value must not be shown: it may be a secret that somebody wrote where a name belongs. */
  readonly hidden?: (path: readonly PropertyKey[]) => boolean;
}

/**
 * What zod found, as a user needs it: where it stands, what is wrong with what was written, and what would be right.
 * A schema states its own text as "is not a …; write …".
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.core.$ZodType,
  input: unknown,
  options: DescribeOptions = {},
): FieldProblem[] {
  const problems = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownKeys(issue.keys, issue.path, schema, input)
      : [describe(issue, input, options)],
  );
  return limitProblems(problems);
}

export function limitProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  const left = problems.length - MAX_PROBLEMS;
  return [
    ...problems.slice(0, MAX_PROBLEMS),
    { path: '', message: `and ${left} more mistakes`, remedy: 'Mend these first.' },
  ];
}

function unknownKeys(
  keys: readonly string[],
  path: readonly PropertyKey[],
  schema: z.core.$ZodType,
  input: unknown,
): FieldProblem[] {
  const known = knownKeysAt(schema, path, input);
  return keys.map((key) => {
    const nearest = nearestName(key, known);
    const list = known.length > 0 && known.length <= 12 ? ` Known here: ${known.join(', ')}.` : '';
    return {
      path: formatPath([...path, key]),
      message: 'is not a known key',
      remedy: nearest === undefined ? `Remove it.${list}` : `Did you mean "${nearest}"?${list}`,
    };
  });
}

function describe(issue: z.core.$ZodIssue, input: unknown, options: DescribeOptions): FieldProblem {
  const path = formatPath(issue.path);
  const value = valueAt(input, issue.path);
  const { what, remedy } = verdict(issue, value);
  if (value === undefined && issue.code !== 'custom') return { path, message: 'is missing', remedy };
  const shown = options.hidden?.(issue.path) === true ? 'the value (not shown)' : preview(value);
  return { path, message: `${shown} ${what}`, remedy };
}

interface Verdict {
  readonly what: string;
  readonly remedy: string;
}

function verdict(issue: z.core.$ZodIssue, value: unknown): Verdict {
  const own = /^(is [^;]+|holds [^;]+); (.+)$/.exec(issue.message);
  if (own) return { what: own[1] ?? '', remedy: sentence(own[2] ?? '') };
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = TYPE_NAMES[issue.expected] ?? issue.expected;
      return { what: `is not ${wanted}`, remedy: `Write ${wanted}.` };
    }
    case 'invalid_value':
      return oneOf(issue.values.map(String), value);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(issue.options.map(String), value)
        : { what: 'is not valid', remedy: SEE_REFERENCE };
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_key':
      return { what: 'has a name that is not allowed', remedy: 'Use a name of 1 to 63 characters.' };
    default:
      return { what: 'is not valid', remedy: SEE_REFERENCE };
  }
}

const SEE_REFERENCE = 'See the reference of the deployment specification.';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function oneOf(values: readonly string[], value: unknown): Verdict {
  const nearest = typeof value === 'string' ? nearestName(value, values) : undefined;
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const [only] = values;
  if (values.length === 1 && only !== undefined) return { what: `is not "${only}"`, remedy: `Write "${only}".` };
  return { what: 'is not one of the accepted values', remedy: `Write one of: ${values.join(', ')}.${hint}` };
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): Verdict {
  const limit = String(maximum);
  if (origin === 'string') return { what: 'is too long', remedy: `Write at most ${limit} characters.` };
  if (origin === 'array') return { what: 'is too long', remedy: `List at most ${limit}.` };
  return { what: `is more than ${limit}`, remedy: `Write at most ${limit}.` };
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Verdict {
  const limit = String(minimum);
  if (origin === 'string') return { what: 'is empty', remedy: `Write at least ${limit} character.` };
  if (origin === 'array') return { what: 'is too short', remedy: `List at least ${limit}.` };
  if (inclusive === false) return { what: `is not more than ${limit}`, remedy: `Write a number above ${limit}.` };
  return { what: `is less than ${limit}`, remedy: `Write at least ${limit}.` };
}

const sentence = (text: string): string => cut(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`, 300);
