/** @typedef {import('@davit/contracts/published').JsonSchema} Schema */

/** @param {string} text */
export const cell = (text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
  return lines.join('\n');
}

/**
 * A type in the words of the reference: `placement or null`, `"a", "b"`, `integer ≥ 1`.
 * @param {Schema} schema
 * @returns {string}
 */
export function typeText(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeText).join(' or ');
  if (typeof schema.type === 'object') return schema.type.map((type) => typeText({ ...schema, type })).join(' or ');
  if (schema.type === 'array')
    return `list of ${typeText(schema.items ?? {})}${bounds(schema.minItems, schema.maxItems)}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties) {
    return `map of ${typeText(schema.additionalProperties)}`;
  }
  if (schema.type === 'string') return stringText(schema);
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum, exclusiveMinimum } = schema;
    const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
    const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
    if (exclusiveMinimum === undefined) return `${schema.type}${bounds(least, maximum)}`;
    return `${schema.type} > ${exclusiveMinimum}${maximum === undefined ? '' : `, ≤ ${maximum}`}`;
  }
  return schema.type ?? 'any';
}

/** @param {Schema} schema */
function stringText({ format, pattern, minLength, maxLength }) {
  if (format === 'date-time') return 'instant';
  if (format !== undefined && pattern === undefined) return format;
  if (format === 'uuid') return format;
  const size = minLength === maxLength && minLength !== undefined ? `, ${minLength} characters` : '';
  const most = size === '' && maxLength !== undefined ? `, at most ${maxLength} characters` : '';
  return `text${size}${most}${pattern === undefined ? '' : ` matching \`${pattern}\``}`;
}

/** @param {number | undefined} least @param {number | undefined} most */
function bounds(least, most) {
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}`;
  if (least !== undefined) return ` ≥ ${least}`;
  return most === undefined ? '' : ` ≤ ${most}`;
}

/**
 * One row a field, nested ones by path (`evidence[].verdict`), named shapes not opened.
 * @param {Schema} schema
 * @param {ReadonlyMap<string, string>} comments by path without `[]`
 * @param {string} [prefix]
 * @returns {string[][]}
 */
export function fieldRows(schema, comments, prefix = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const optional = schema.required?.includes(name) === true ? '' : ' (optional)';
    const comment = comments.get(path.replaceAll('[]', '')) ?? '';
    const element = field.type === 'array' ? field.items : undefined;
    const inner = element ?? field.anyOf?.find(({ properties }) => properties) ?? field;
    const nested = inner?.properties ? fieldRows(inner, comments, `${path}${element === undefined ? '.' : '[].'}`) : [];
    return [[`\`${path}\``, `${typeText(field)}${optional}`, comment], ...nested];
  });
}
