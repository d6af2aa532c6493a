import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repoRoot } from '../lib/paths.mjs';
import { commentOf, parseSource, walk } from './comments.mjs';
import { table } from './schema-table.mjs';

/** Codes that somebody may meet in an answer, a log or a terminal, as the sources state them. */
export function errorsPage() {
  const sources = ['libs', 'apps', 'scripts'].flatMap(sourceFiles).map(parseSource);
  const problems = new Map();
  const errors = new Map();
  const setup = new Map();
  for (const source of sources) {
    walk(source, (node) => {
      if (ts.isClassDeclaration(node)) {
        const code = codeOfClass(node);
        if (code !== undefined)
          errors.set(`${code} ${node.name?.text ?? ''}`, [
            `\`${code}\``,
            `\`${node.name?.text ?? ''}\``,
            commentOf(node),
          ]);
      }
      if (!ts.isNewExpression(node)) return;
      const [first, second, third] = node.arguments ?? [];
      const made = node.expression.getText();
      if (made === 'ProblemError' && first && second && ts.isStringLiteral(second)) {
        const title = third && ts.isStringLiteral(third) ? third.text : '';
        const status = ts.isNumericLiteral(first) ? first.text : '4xx';
        problems.set(`${second.text} ${status}`, [`\`${second.text}\``, status, title]);
      }
      if (made === 'SetupError' && first && ts.isStringLiteral(first)) setup.set(first.text, [`\`${first.text}\``]);
    });
  }
  const parts = [
    '# Error codes',
    'Codes are stable; texts are not. A problem document has the code as its member `code` and as the end of its `type` (`urn:davit:problem:<code>`).',
    `## Answers over HTTP (RFC 9457)\n\n${table(['code', 'status', 'title'], sorted(problems))}`,
    `## Faults in logs\n\n${table(['code', 'class', 'meaning'], sorted(errors))}`,
    `## Set-up: \`npm run demo\`, \`up\`, \`test\`\n\nThe message says what to do. Codes: ${sorted(setup).join(', ')}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** @param {Map<string, string[]>} rows */
const sorted = (rows) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);

/**
 * `readonly code = 'x'` of an error class.
 * @param {ts.ClassDeclaration} node
 */
function codeOfClass(node) {
  for (const member of node.members) {
    if (!ts.isPropertyDeclaration(member) || member.name.getText() !== 'code') continue;
    if (member.initializer && ts.isStringLiteral(member.initializer)) return member.initializer.text;
  }
  return undefined;
}

const NOT_SOURCES = new Set(['node_modules', 'dist', 'testing', 'docs']);

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourceFiles(folder) {
  return readdirSync(path.join(repoRoot, folder)).flatMap((name) => {
    const file = path.posix.join(folder, name);
    if (statSync(path.join(repoRoot, file)).isDirectory()) return NOT_SOURCES.has(name) ? [] : sourceFiles(file);
    return /\.(ts|mjs)$/.test(name) && !/\.test\.|\.d\.m?ts$/.test(name) ? [file] : [];
  });
}
