/** @typedef {import('@davit/contracts/published').JsonSchema} Schema */

const LEAST = /** @type {const} */ (['minimum', 'exclusiveMinimum', 'minLength', 'minItems']);
const MOST = /** @type {const} */ (['maximum', 'maxLength', 'maxItems']);

/**
 * Changes of what one value may be.
 * @param {Schema} from
 * @param {Schema} to
 * @param {import('./schemas.mjs').Direction} direction
 * @param {string} at
 * @returns {readonly string[]}
 */
export function valueChanges(from, to, direction, at) {
  return direction === 'request' ? narrowed(from, to, at) : promisedNoMore(from, to, at);
}

/** @param {Schema} from @param {Schema} to @param {string} at */
function narrowed(from, to, at) {
  const [was, is] = [valuesOf(from), valuesOf(to)];
  const refused = is === undefined ? [] : (was ?? []).filter((value) => !is.includes(value));
  return [
    ...(from.type !== 'integer' && to.type === 'integer' ? [`${at} has to be a whole number now`] : []),
    ...(from.type === undefined && to.type !== undefined && was === undefined
      ? [`${at} has to be ${to.type} now`]
      : []),
    ...(was === undefined && is !== undefined ? [`${at} takes only ${is.join(', ')} now`] : []),
    ...refused.map((value) => `${at} can no longer be ${value}`),
    ...LEAST.filter((key) => (to[key] ?? -Infinity) > (from[key] ?? -Infinity)).map(
      (key) => `${at} has ${key} ${to[key]} now`,
    ),
    ...MOST.filter((key) => (to[key] ?? Infinity) < (from[key] ?? Infinity)).map(
      (key) => `${at} has ${key} ${to[key]} now`,
    ),
    ...(to.pattern !== undefined && to.pattern !== from.pattern ? [`${at} has to match ${to.pattern} now`] : []),
    ...(to.format !== undefined && to.format !== from.format ? [`${at} has to be a ${to.format} now`] : []),
    ...(JSON.stringify(from.default) === JSON.stringify(to.default) || from.default === undefined
      ? []
      : [
          `${at} is read as ${JSON.stringify(to.default)} where it is left out, and was ${JSON.stringify(from.default)}`,
        ]),
  ];
}

/** @param {Schema} from @param {Schema} to @param {string} at */
function promisedNoMore(from, to, at) {
  const is = valuesOf(to);
  const other = from.const !== undefined && !is?.includes(JSON.stringify(from.const));
  return [
    ...(from.type === 'integer' && to.type !== 'integer' ? [`${at} may now be no whole number`] : []),
    ...(from.type !== undefined && to.type === undefined && is === undefined ? [`${at} may now be anything`] : []),
    ...(other ? [`${at} is no longer ${JSON.stringify(from.const)}`] : []),
    ...(from.format !== undefined && to.format !== from.format ? [`${at} is no longer a ${from.format}`] : []),
  ];
}

/**
 * As text, since values may be of any type.
 * @param {Schema} schema
 */
const valuesOf = ({ const: only, enum: values }) =>
  (values ?? (only === undefined ? undefined : [only]))?.map((value) => JSON.stringify(value));
