import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repoRoot } from '../lib/paths.mjs';
import { commentOf, fieldComments, parseSource, walk } from './comments.mjs';
import { fieldRows, table, typeText } from './schema-table.mjs';

/** @typedef {import('@davit/contracts/published').JsonSchema} Schema */

/** @param {import('./load.mjs').Sources} sources */
export function eventsPage({ published }) {
  const { events, envelope, shapes } = published.eventSchemas('#/$defs/');
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
 * @param {ReturnType<import('./load.mjs').Sources['published']['eventSchemas']>['events'][number]} event
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
