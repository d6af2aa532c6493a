import { schemaChanges } from './schemas.mjs';

/**
 * @typedef {import('./schemas.mjs').Schema} Schema
 * @typedef {object} EventsFile
 * @property {readonly { readonly properties: { readonly type: Schema, readonly dataschema: Schema, readonly data: Schema } }[]} oneOf
 * @property {Readonly<Record<string, Schema>>} $defs
 */

/**
 * Changes of events whose version did not move. What was written has to be read for ever, and what is written now by readers of
 * before: an event must not change in either direction.
 * @param {EventsFile} before
 * @param {EventsFile} after
 * @returns {{ readonly data: readonly string[], readonly others: readonly string[] }} of the data of types, and of all else
 */
export function eventChanges(before, after) {
  const types = new Map(after.oneOf.map(({ properties }) => [properties.type.const, properties]));
  const gone = before.oneOf.filter(({ properties }) => !types.has(properties.type.const));
  const data = before.oneOf.flatMap(({ properties }) => {
    const now = types.get(properties.type.const);
    if (now === undefined || now.dataschema.const !== properties.dataschema.const) return [];
    return bothWays(properties.data, now.data).map((change) => `${properties.type.const}: ${change}`);
  });
  /** @param {Schema} from @param {Schema} to */
  function bothWays(from, to) {
    const [old, now] = [
      { schema: from, document: before },
      { schema: to, document: after },
    ];
    return [...new Set([...schemaChanges(old, now, 'request'), ...schemaChanges(old, now, 'answer')])];
  }
  const envelope = { $ref: '#/$defs/envelope' };
  return {
    data,
    others: [
      ...gone.map(({ properties }) => `${properties.type.const} is gone`),
      ...bothWays(envelope, envelope).map((change) => `the envelope of events: ${change}`),
    ],
  };
}
