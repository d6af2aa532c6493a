import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { repoRoot } from '../lib/paths.mjs';
import { commentOf, fieldComments, parseSource, walk } from './comments.mjs';
import { isZodType } from './load.mjs';
import { fieldRows, table, typeText } from './schema-table.mjs';

/** @typedef {import('./schema-table.mjs').Schema} Schema */

const SCHEMA_ID = 'urn:davit:schema:events';

/**
 * JSON Schema of every event, and of the shapes that several share.
 * @param {import('./load.mjs').Sources['contracts']} contracts
 */
export function eventSchemas(contracts) {
  /** @type {import('zod').core.$ZodRegistry<{ id?: string }>} */
  const shapes = z.registry();
  for (const [id, value] of Object.entries(contracts)) {
    if (isZodType(value) && !shapes.has(value)) shapes.add(value, { id });
  }
  /** @type {Record<string, Schema>} */
  const defs = {};
  /** @param {z.ZodType} schema @returns {Schema} */
  const convert = (schema) => {
    const {
      $schema: _,
      $defs,
      ...rest
    } = /** @type {Schema & { $schema?: string }} */ (
      z.toJSONSchema(schema, { metadata: shapes, io: 'output', target: 'draft-2020-12' })
    );
    Object.assign(defs, $defs);
    return rest;
  };
  const events = contracts.EVENT_DEFINITIONS.map((definition) => ({
    type: definition.type,
    dataschema: contracts.dataSchemaOf(definition),
    subject: contracts.subjects.log(definition.type),
    data: convert(definition.data),
  }));
  convert(contracts.envelope);
  const { envelope = {}, ...shared } = defs;
  return { events, envelope, shapes: sortKeys(shared) };
}

/** @param {ReturnType<typeof eventSchemas>} schemas */
export function eventsJsonSchema({ events, envelope, shapes }) {
  const data = Object.fromEntries(events.map(({ type, data }) => [type, data]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: SCHEMA_ID,
    title: 'Events of Davit, as they stand in the log and travel on davit.log.>',
    allOf: [{ $ref: '#/$defs/envelope' }],
    oneOf: events.map(({ type, dataschema }) => ({
      properties: { type: { const: type }, dataschema: { const: dataschema }, data: { $ref: `#/$defs/${type}` } },
    })),
    $defs: { ...shapes, envelope, ...data },
  };
}

/** @param {import('./load.mjs').Sources} sources */
export function eventsPage({ contracts }) {
  const { events, envelope, shapes } = eventSchemas(contracts);
  const comments = readComments();
  const categories = [...new Set(events.map(({ subject }) => subject.split('.')[2] ?? ''))];
  const envelopeRows = fieldRows(envelope, comments.shapes.get('envelope')?.fields ?? new Map());
  const parts = [
    '# Events',
    `${events.length} types in ${categories.length} categories. Fields of data are strict: nothing is added silently; a changed shape is a new version of the type. The same as JSON Schema: [events.schema.json](events.schema.json).`,
    `## Envelope\n\n${comments.shapes.get('envelope')?.about ?? ''}\n\n${table(['field', 'type', 'meaning'], envelopeRows)}`,
    ...categories.map((category) => {
      const own = events.filter(({ subject }) => subject.startsWith(`davit.log.${category}.`));
      const about = comments.streams.get(category);
      if (about === undefined) throw new Error(`no comment of libs/contracts says who writes stream ${category}/…`);
      return [`## ${category}\n\n${about}`, ...own.map((event) => eventSection(event, comments))].join('\n\n');
    }),
    '## Shapes',
    ...Object.entries(shapes).map(([name, shape]) => shapeSection(name, shape, comments)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {ReturnType<typeof eventSchemas>['events'][number]} event
 * @param {ReturnType<typeof readComments>} comments
 */
function eventSection({ type, dataschema, subject, data }, comments) {
  const known = comments.events.find(({ pattern }) => pattern.test(type));
  const about = known?.about === undefined || known.about === '' ? '' : `\n\n${known.about}`;
  const rows = fieldRows(data, known?.fields ?? new Map());
  const fields = rows.length === 0 ? '' : `\n\n${table(['data', 'type', 'meaning'], rows)}`;
  return `### ${type}\n\nSubject \`${subject}\`, schema \`${dataschema}\`.${about}${fields}`;
}

/**
 * @param {string} name
 * @param {Schema} shape
 * @param {ReturnType<typeof readComments>} comments
 */
function shapeSection(name, shape, comments) {
  const known = comments.shapes.get(name);
  const about = known?.about ? `${known.about}\n\n` : '';
  const rows = fieldRows(shape, known?.fields ?? new Map());
  const body = rows.length > 0 ? table(['field', 'type', 'meaning'], rows) : `${capital(typeText(shape))}.`;
  return `### ${name}\n\n${about}${body}`;
}

/** @param {string} text */
const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What the sources of the contracts say about streams, events, shapes and their fields. */
function readComments() {
  const root = 'libs/contracts/src';
  const files = ['', 'events', 'events/rollout', 'spec']
    .flatMap((folder) =>
      readdirSync(path.join(repoRoot, root, folder)).map((file) => path.posix.join(root, folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  /** @type {Map<string, string>} */
  const streams = new Map();
  /** @type {Map<string, { about: string, fields: Map<string, string> }>} */
  const shapes = new Map();
  /** @type {{ pattern: RegExp, about: string, fields: Map<string, string> }[]} */
  const events = [];
  for (const source of files.map(parseSource)) {
    walk(source, (node) => {
      if (ts.isVariableStatement(node)) {
        const about = commentOf(node);
        const category = /^Stream `([\w-]+)\//.exec(about)?.[1];
        if (category !== undefined) streams.set(category, about);
        for (const constant of node.declarationList.declarations) {
          shapes.set(constant.name.getText(), { about, fields: fieldComments(constant) });
        }
      }
      if (!ts.isCallExpression(node) || node.expression.getText() !== 'defineEvent') return;
      const [type, , data] = node.arguments;
      if (type === undefined || data === undefined) return;
      events.push({ pattern: patternOf(type), about: commentOf(node), fields: fieldComments(data) });
    });
  }
  return { streams, shapes, events };
}

/**
 * The event types that a type argument may stand for.
 * @param {ts.Expression} type a literal, or a template with the category left open
 */
function patternOf(type) {
  const text = type.getText().slice(1, -1).replaceAll('.', '\\.');
  return new RegExp(`^${text.replace(/\$\{\w+\}/g, '\\w+')}$`);
}

/** @param {Record<string, Schema>} record */
const sortKeys = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
