import ts from 'typescript';
import { commentOf, parseSource, walk } from './comments.mjs';
import { table } from './schema-table.mjs';

/** @typedef {import('commander').Command} Command */

const EXIT_CODES = 'apps/cli/src/exit-codes.ts';

/** @param {import('./load.mjs').Sources} sources */
export function cliPage({ program, exitCodes }) {
  const parts = [
    '# davit',
    `${program.description()}. In a checkout: \`npx davit …\`.`,
    `Options before or after any command:\n\n${optionsTable(program)}`,
    ...program.commands.flatMap((command) => commandSections(program.name(), command)),
    `## Exit codes\n\nThe same for every command.\n\n${table(['code', 'name', 'meaning'], exitRows(exitCodes))}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {string} program
 * @param {Command} command
 * @returns {string[]}
 */
function commandSections(program, command) {
  const own = `${program} ${command.name()}`;
  return [commandSection(program, command), ...command.commands.flatMap((one) => commandSections(own, one))];
}

/**
 * @param {string} program
 * @param {Command} command
 */
function commandSection(program, command) {
  const usage = `${program} ${command.name()} ${command.usage()}`.trim();
  const argumentRows = command.registeredArguments.map((argument) => [
    `\`<${argument.name()}>\``,
    argument.description,
    argument.required ? '**required**' : '',
  ]);
  const optionRows = command.options.map(optionRow);
  const rows = [...argumentRows, ...optionRows];
  const body = rows.length === 0 ? '' : `\n\n${table(['argument or option', 'meaning', 'default'], rows)}`;
  const description = command.description();
  return `## ${program} ${command.name()}\n\n${description.charAt(0).toUpperCase()}${description.slice(1)}.\n\n    ${usage}${body}`;
}

/** @param {Command} command */
function optionsTable(command) {
  return table(['option', 'meaning', 'default'], command.options.map(optionRow));
}

/** @param {import('commander').Option} option */
function optionRow(option) {
  const value = option.mandatory
    ? '**required**'
    : option.defaultValue === undefined
      ? ''
      : `\`${String(option.defaultValue)}\``;
  return [`\`${option.flags}\``, option.description, value];
}

/** @param {Readonly<Record<string, number>>} exitCodes */
function exitRows(exitCodes) {
  /** @type {Map<string, string>} */
  const meanings = new Map();
  walk(parseSource(EXIT_CODES), (node) => {
    if (ts.isPropertyAssignment(node)) meanings.set(node.name.getText(), commentOf(node));
  });
  return Object.entries(exitCodes).map(([name, code]) => [
    String(code),
    `\`${name}\``,
    meanings.get(name) || (code === 0 ? 'Done as asked.' : ''),
  ]);
}
