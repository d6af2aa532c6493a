import { resolved, schemaChanges } from './schemas.mjs';

/**
 * @typedef {import('./schemas.mjs').Schema} Schema
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} in
 * @property {boolean} [required]
 * @property {Schema} schema
 * @typedef {Readonly<Record<string, { readonly schema: Schema }>>} Content
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} [x-davit-role]
 * @property {readonly (Parameter | { $ref: string })[]} [parameters]
 * @property {{ readonly content: Content }} [requestBody]
 * @property {Readonly<Record<string, { readonly content?: Content, readonly $ref?: string }>>} responses
 * @typedef {{ readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }} OpenApi
 */

const ROLES = ['viewer', 'operator', 'admin'];

/**
 * @param {OpenApi} before
 * @param {OpenApi} after
 * @returns {readonly string[]}
 */
export function openApiChanges(before, after) {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const what = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now === undefined) return [`${what} is gone`];
      return [
        ...ownChanges(operation, now),
        ...parameterChanges({ operation, document: before }, { operation: now, document: after }),
        ...bodyChanges(operation.requestBody?.content, now.requestBody?.content, [before, after]),
        ...answerChanges(operation.responses, now.responses, [before, after]),
      ].map((change) => `${what}: ${change}`);
    }),
  );
}

/** @param {Operation} from @param {Operation} to */
function ownChanges(from, to) {
  const [was, is] = [from['x-davit-role'], to['x-davit-role']].map((role) => ROLES.indexOf(role ?? ''));
  return [
    ...(from.operationId === to.operationId ? [] : [`it is called ${to.operationId} and was ${from.operationId}`]),
    ...(Number(is) > Number(was) ? [`it needs the role ${to['x-davit-role']} now`] : []),
  ];
}

/**
 * @param {{ operation: Operation, document: object }} before
 * @param {{ operation: Operation, document: object }} after
 */
function parameterChanges(before, after) {
  const [was, is] = [before, after].map(({ operation, document }) => {
    const all = (operation.parameters ?? []).map(
      (one) => /** @type {Parameter} */ (/** @type {unknown} */ (resolved(/** @type {Schema} */ (one), document))),
    );
    return new Map(all.map((one) => [`${one.in} parameter ${one.name}`, one]));
  });
  const added = [...(is ?? [])].filter(([name, { required }]) => required && !was?.get(name)?.required);
  return [
    ...[...(was ?? [])].flatMap(([name, { schema }]) => {
      const now = is?.get(name);
      if (now === undefined) return [`${name} can no longer be sent`];
      const located = { schema: now.schema, document: after.document };
      return schemaChanges({ schema, document: before.document }, located, 'request', name);
    }),
    ...added.map(([name]) => `${name} has to be sent now`),
  ];
}

/**
 * @param {Content | undefined} from
 * @param {Content | undefined} to
 * @param {readonly [object, object]} documents
 */
function bodyChanges(from, to, documents) {
  if (from === undefined) return to === undefined ? [] : ['a body has to be sent now'];
  return contentChanges(from, to, documents, 'request').map((change) => `body: ${change}`);
}

/**
 * @param {Operation['responses']} from
 * @param {Operation['responses']} to
 * @param {readonly [object, object]} documents
 */
function answerChanges(from, to, documents) {
  const successes = Object.entries(from).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, { content = {} }]) => {
    if (to[status] === undefined) return [`it is no longer answered with ${status}`];
    return contentChanges(content, to[status].content, documents, 'answer').map(
      (change) => `answer ${status}: ${change}`,
    );
  });
}

/**
 * @param {Content} from
 * @param {Content | undefined} to
 * @param {readonly [object, object]} documents
 * @param {import('./schemas.mjs').Direction} direction
 */
function contentChanges(from, to, [before, after], direction) {
  return Object.entries(from).flatMap(([type, { schema }]) => {
    const now = to?.[type]?.schema;
    if (now === undefined) return [`${type} is gone`];
    return schemaChanges({ schema, document: before }, { schema: now, document: after }, direction);
  });
}
