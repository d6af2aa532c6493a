import { readdirSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../lib/paths.mjs';
import { fieldComments, parseSource } from './comments.mjs';
import { table } from './schema-table.mjs';

/** @typedef {import('zod').ZodType} ZodType */

const SHARED_FOLDER = 'libs/service-kit/src/config';

/** @param {import('./load.mjs').Sources} sources */
export function configurationPage({ commonConfig, services }) {
  const own = services.filter(({ config }) => config !== undefined && Object.keys(config.shape).length > 0);
  const none = services.filter((service) => !own.includes(service)).map(({ name }) => `\`${name}\``);
  const parts = [
    '# Configuration',
    'Services read their environment once, at start. An empty variable counts as not set. A wrong one ends the start with exit code 2 and a line for each mistake, with the remedy.',
    `## Every service\n\n${variables(commonConfig)}`,
    ...own.map(({ name, config, configFile }) => `## ${name}\n\n${variables(config, configFile)}`),
  ];
  if (none.length > 0) parts.push(`No variables of their own: ${none.join(', ')}.`);
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {import('zod').ZodObject | undefined} schema
 * @param {string} [file] source of what the schema does not share with others
 */
function variables(schema, file) {
  const own = file === undefined ? [] : [file];
  const comments = new Map([...sharedFiles(), ...own].flatMap((name) => [...fieldComments(parseSource(name))]));
  const rows = Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const zod = /** @type {ZodType} */ (field);
    return [`\`${name}\``, defaultText(zod), remedyOf(zod), comments.get(name) ?? ''];
  });
  return table(['variable', 'default', 'values', 'meaning'], rows);
}

/** Variables that several services read stand here, with what they mean. */
const sharedFiles = () =>
  readdirSync(path.join(repoRoot, SHARED_FOLDER))
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .map((name) => `${SHARED_FOLDER}/${name}`);

/** @param {ZodType} field */
function defaultText(field) {
  if (field.def.type === 'optional') return 'not set';
  if (field.def.type !== 'default') return '**required**';
  const { def } = /** @type {import('zod').ZodDefault} */ (field);
  const value = def.defaultValue;
  if (value === '') return 'not set';
  if (typeof value === 'object' && value !== null) return `\`${listText(value)}\``;
  if (value !== def.defaultValue) return 'random at each start';
  const shown = typeof value === 'number' && remedyOf(field).includes('duration') ? duration(value) : String(value);
  return `\`${typeof value === 'boolean' ? (value ? 'on' : 'off') : shown}\``;
}

/**
 * A list or a map as its variable states it: `a,b`, `a=1,b=2`.
 * @param {object} value
 */
function listText(value) {
  if (Array.isArray(value)) return value.join(',');
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.map(([name, each]) => `${name}=${each}`).join(',');
}

/** @param {number} ms */
function duration(ms) {
  const units = /** @type {const} */ ([
    [3_600_000, 'h'],
    [60_000, 'm'],
    [1_000, 's'],
  ]);
  const [size, unit] = units.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms'];
  return `${ms / size}${unit}`;
}

/** No variable takes this: too long, and no number, duration, address or word of a list. */
const UNUSABLE = '\u0001'.repeat(100_000);

/**
 * What a wrong value is answered with, which says what a right one is.
 * @param {ZodType} field
 * @returns {string}
 */
function remedyOf(field) {
  const issue = field.safeParse(UNUSABLE).error?.issues[0];
  if (issue === undefined) return 'any text';
  if (issue.code === 'invalid_value') return issue.values.map((value) => `\`${String(value)}\``).join(', ');
  const remedy = issue.message.replace(/^is (not usable|too long)\. /, '').replace(/^Set (an?\s|at\s)?/, '$1');
  return remedy.replace(/"([^"]+)"/g, '`$1`').replace(/\.$/, '');
}
