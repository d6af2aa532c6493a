import { schemaChanges } from './schemas.mjs';

/**
 * @typedef {import('./schemas.mjs').Schema} Schema
 * @typedef {{ readonly $ref: string }} Reference
 * @typedef {object} Operation
 * @property {string} action
 * @property {readonly Reference[]} [messages]
 * @property {{ readonly messages: readonly Reference[] }} [reply]
 * @typedef {object} Channel
 * @property {string | null} address
 * @property {{ readonly event: { readonly enum: readonly string[] } }} [parameters]
 * @typedef {object} AsyncApi
 * @property {Readonly<Record<string, Channel>>} channels
 * @property {Readonly<Record<string, Operation>>} operations
 * @property {{ readonly messages: Readonly<Record<string, { readonly payload: Schema }>> }} components
 */

/**
 * Changes of subjects, and of what is asked and answered on them. Events have a file, and versions, of their own.
 * @param {AsyncApi} before
 * @param {AsyncApi} after
 * @returns {readonly string[]}
 */
export function asyncApiChanges(before, after) {
  return [
    ...Object.entries(before.channels).flatMap(([id, channel]) => channelChanges(id, channel, after.channels[id])),
    ...Object.values(before.operations).flatMap(({ messages = [], reply }) => [
      ...messages.flatMap((one) => messageChanges(one, 'request', before, after)),
      ...(reply?.messages ?? []).flatMap((one) => messageChanges(one, 'answer', before, after)),
    ]),
  ];
}

/** @param {string} id @param {Channel} from @param {Channel | undefined} to */
function channelChanges(id, from, to) {
  if (to === undefined) return [`${from.address ?? id} is gone`];
  const events = new Set(to.parameters?.event.enum);
  return [
    ...(from.address === to.address ? [] : [`${from.address} is ${to.address} now`]),
    ...(from.parameters?.event.enum ?? [])
      .filter((event) => !events.has(event))
      .map((event) => `${from.address?.replace('{event}', event)} is gone`),
  ];
}

/**
 * @param {Reference} reference
 * @param {import('./schemas.mjs').Direction} direction
 * @param {AsyncApi} before
 * @param {AsyncApi} after
 */
function messageChanges({ $ref }, direction, before, after) {
  const id = $ref.slice($ref.lastIndexOf('/') + 1);
  const [from, to] = [before, after].map(({ components }) => components.messages[id]?.payload);
  if (from === undefined || to === undefined) return to === undefined ? [`message ${id} is gone`] : [];
  const changes = schemaChanges({ schema: from, document: before }, { schema: to, document: after }, direction);
  return changes.map((change) => `message ${id}: ${change}`);
}
