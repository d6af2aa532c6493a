import { table } from './schema-table.mjs';

/** @typedef {import('@davit/provider-kit').SupportRow} SupportRow */

const LEVELS = [
  ['`experimental`', 'It can be asked for; nobody has shown that it works.'],
  ['`local-qualified`', 'Shown against the simulated provider, which speaks the protocol of the real one.'],
  ['`real-qualified`', 'Shown against the real provider, with machines that were rented and paid for.'],
];

/** @param {import('./load.mjs').Sources} sources */
export function supportPage({ support }) {
  const claims = support.map(({ adapter, cloud, engine, level, evidence }) => [
    `\`${adapter}\``,
    cloud === 'any' ? 'any' : `\`${cloud}\``,
    `\`${engine}\``,
    level,
    evidence.map(({ path }) => `[${path.split('/').at(-1)}](../../${path})`).join(', '),
  ]);
  const files = new Map(support.flatMap(({ evidence }) => evidence.map((one) => [one.path, one])));
  const shown = [...files.values()].map(({ path, kind, shows }) => [`[${path}](../../${path})`, kind, shows]);
  const real = support.filter(({ level }) => level === 'real-qualified').length;
  const parts = [
    '# Support',
    'What is claimed, and on what evidence. What has no row is not supported. A backend that a process has bound may be asked for anything it is bound for; that says nothing of how well it is known to work.',
    table(['level', 'meaning'], LEVELS),
    `## Claims\n\n${real === 0 ? 'Nothing has been shown on a real provider yet.' : `${real} combinations have been shown on a real provider.`}\n\n${table(['adapter', 'cloud', 'engine', 'level', 'evidence'], claims)}`,
    `## Evidence\n\n${table(['file', 'kind', 'shows'], shown)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
