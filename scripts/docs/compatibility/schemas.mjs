import { valueChanges } from './values.mjs';

/**
 * @typedef {import('@davit/contracts/published').JsonSchema} Schema
 * @typedef {{ readonly schema: Schema, readonly document: object }} Located a schema, and the document that its references lead through
 * @typedef {'request' | 'answer'} Direction who has to bear a change: who sends it, or who reads it
 */

/**
 * Changes of a schema that break whoever sends what it allowed, or reads what it promised; one line each, with the path.
 * @param {Located} before
 * @param {Located} after
 * @param {Direction} direction
 * @param {string} [path]
 * @param {ReadonlySet<string>} [seen] pairs of references that are being compared
 * @returns {readonly string[]}
 */
export function schemaChanges(before, after, direction, path = '', seen = new Set()) {
  const pair = `${before.schema.$ref} ${after.schema.$ref}`;
  if (before.schema.$ref !== undefined && seen.has(pair)) return [];
  const inside = new Set([...seen, pair]);
  const [old, now] = [alternatives(before), alternatives(after)];
  // A sender needs each old form to be taken still; a reader needs each new form to be one that it knew.
  const [needed, offered] = direction === 'request' ? [old, now] : [now, old];
  return needed.flatMap((one) => {
    const others = offered.filter((other) => kindOf(other) === kindOf(one) || kindOf(other) === 'any');
    if (others.length === 0)
      return [`${path || 'it'} ${direction === 'request' ? 'can no longer be' : 'may now be'} ${kindOf(one)}`];
    const same = others.filter((other) => tagOf(other) === tagOf(one));
    // A form with a mark of its own that is new is an addition.
    if (same.length === 0) return direction === 'request' ? [`${path || 'it'} can no longer be ${tagOf(one)}`] : [];
    const changes = same.map((other) => {
      const [from, to] = direction === 'request' ? [one, other] : [other, one];
      return formChanges(from, to, direction, path, inside);
    });
    return changes.reduce((least, next) => (next.length < least.length ? next : least));
  });
}

/**
 * @param {Located} before
 * @param {Located} after
 * @param {Direction} direction
 * @param {string} path
 * @param {ReadonlySet<string>} seen
 * @returns {readonly string[]}
 */
function formChanges(before, after, direction, path, seen) {
  /** @param {Schema | undefined} from @param {Schema | undefined} to @param {string} at */
  const inside = (from, to, at) =>
    from && to ? schemaChanges({ ...before, schema: from }, { ...after, schema: to }, direction, at, seen) : [];
  const [from, to] = [before.schema, after.schema];
  return [
    ...valueChanges(from, to, direction, path || 'it'),
    ...memberChanges(from, to, direction, path),
    ...Object.entries(from.properties ?? {}).flatMap(([name, schema]) =>
      inside(schema, to.properties?.[name], path === '' ? name : `${path}.${name}`),
    ),
    ...inside(from.items, to.items, `${path}[]`),
    ...inside(asSchema(from.additionalProperties), asSchema(to.additionalProperties), `${path}.*`),
  ];
}

/**
 * @param {Schema} from
 * @param {Schema} to
 * @param {Direction} direction
 * @param {string} path
 */
function memberChanges(from, to, direction, path) {
  /** @param {string} name */
  const at = (name) => (path === '' ? name : `${path}.${name}`);
  const names = Object.keys(from.properties ?? {});
  const [was, is] = [new Set(from.required), new Set(to.required)];
  const gone = names.filter((name) => !(name in (to.properties ?? {})));
  if (direction === 'answer') {
    return [
      ...gone.map((name) => `${at(name)} is gone`),
      ...[...was]
        .filter((name) => !is.has(name) && !gone.includes(name))
        .map((name) => `${at(name)} may now be absent`),
    ];
  }
  const isClosed = to.additionalProperties === false;
  const closes = isClosed && from.additionalProperties !== false && from.type === 'object';
  return [
    ...(isClosed ? gone.map((name) => `${at(name)} can no longer be sent`) : []),
    ...(closes ? [`${path || 'it'} can no longer have members that are not named`] : []),
    ...[...is].filter((name) => !was.has(name)).map((name) => `${at(name)} has to be sent now`),
  ];
}

/** @param {Schema | boolean | undefined} value */
const asSchema = (value) => (typeof value === 'object' ? value : undefined);

/**
 * The forms that a value may have, one of each type.
 * @param {Located} located
 * @returns {readonly Located[]}
 */
function alternatives({ schema, document }) {
  const whole = resolved(schema, document);
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices) return choices.flatMap((choice) => alternatives({ schema: choice, document }));
  if (typeof whole.type === 'object') return whole.type.map((type) => ({ schema: { ...whole, type }, document }));
  return [{ schema: whole, document }];
}

/**
 * @param {Schema} schema
 * @param {object} document
 * @returns {Schema}
 */
export function resolved(schema, document) {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const target = $ref
    .split('/')
    .slice(1)
    .reduce((value, part) => /** @type {Record<string, any>} */ (value)?.[part], document);
  if (target === undefined) throw new Error(`nothing stands at ${$ref}`);
  return { ...resolved(/** @type {Schema} */ (target), document), ...beside };
}

/**
 * What a value is for whoever reads it: any whole number is a number too.
 * @param {Located} located
 */
function kindOf({ schema: { type, const: only, enum: values } }) {
  if (typeof type === 'string') return type === 'integer' ? 'number' : type;
  const [value] = values ?? (only === undefined ? [] : [only]);
  if (value === undefined) return 'any';
  return value === null ? 'null' : typeof value;
}

/**
 * The members with one fixed value, which tell forms of an object apart.
 * @param {Located} located
 */
function tagOf({ schema, document }) {
  const fixed = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const { const: only } = resolved(member, document);
    return only === undefined ? [] : [`${name}=${JSON.stringify(only)}`];
  });
  return fixed.join(', ');
}
