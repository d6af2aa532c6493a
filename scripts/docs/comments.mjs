import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repoRoot } from '../lib/paths.mjs';

/** @param {string} file relative to the root */
export function parseSource(file) {
  return ts.createSourceFile(file, readFileSync(path.join(repoRoot, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

/**
 * Calls `visit` for the node and everything in it.
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} visit
 */
export function walk(node, visit) {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/**
 * The words of the documentation comment that stands right before a node, as one line; empty when there is none.
 * @param {ts.Node} node
 */
export function commentOf(node) {
  const text = node.getSourceFile().text;
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const range = ranges.at(-1);
  const comment = range === undefined ? '' : text.slice(range.pos, range.end);
  if (!comment.startsWith('/**')) return '';
  const [words = ''] = comment
    .slice(3, -2)
    .replace(/^\s*\* ?/gm, '')
    .split(/\n@\w/);
  return words
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Comments of the properties of an object literal inside `node`, by path: `evidence.verdict`.
 * Properties spread in from a constant of the same file are followed.
 * @param {ts.Node} node
 * @param {string} [prefix]
 * @returns {Map<string, string>}
 */
export function fieldComments(node, prefix = '') {
  const found = new Map();
  node.forEachChild((child) => {
    if (ts.isPropertyAssignment(child)) {
      const name = `${prefix}${child.name.getText().replace(/^['"]|['"]$/g, '')}`;
      const comment = commentOf(child);
      if (comment !== '') found.set(name, comment);
      for (const [key, value] of fieldComments(child.initializer, `${name}.`)) found.set(key, value);
    } else if (ts.isSpreadAssignment(child) && ts.isIdentifier(child.expression)) {
      const constant = constantOf(child.getSourceFile(), child.expression.text);
      if (constant) for (const [key, value] of fieldComments(constant, prefix)) found.set(key, value);
    } else {
      for (const [key, value] of fieldComments(child, prefix)) found.set(key, value);
    }
  });
  return found;
}

/**
 * @param {ts.SourceFile} source
 * @param {string} name
 */
export function constantOf(source, name) {
  /** @type {ts.VariableDeclaration | undefined} */
  let found;
  walk(source, (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name) found = node;
  });
  return found;
}
