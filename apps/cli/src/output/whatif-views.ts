import type { WhatIfView } from '@davit/contracts';
import { duration } from './duration.js';
import { table } from './table.js';
import { proseWidth, wrap } from './wrap.js';

type Slot = WhatIfView['slots'][number];
type Decision = Slot['decisions'][number];
type Spent = WhatIfView['cost'];
type Told = { readonly at: string; readonly line: readonly [string, string, string] };

/** Replica by replica, in the order of time; then what it would have cost, next to what it did. */
export function whatIfText(view: WhatIfView): string {
  const { from, to, against, slots, compared, differences, cost, realCost, notWanted, notes, rules } = view;
  return [
    `What if, from ${moment(from)} to ${moment(to)}${against === null ? '' : `, in the place of ${against}`}`,
    ...slots.flatMap((slot) => ['', ...slotText(slot, from)]),
    '',
    ...(against === null
      ? [`  cost      ${spentText(cost)}`]
      : [
          `  decisions ${differences} of ${compared} would have been others`,
          `  cost      ${spentText(cost)}; really ${realCost === null ? 'not known' : spentText(realCost)}`,
        ]),
    ...notWanted.map((replica) => `  not wanted  ${replica}, which there really was`),
    ...notes.flatMap((note) => told('note', note)),
    ...rules.flatMap((rule) => told('rule', rule)),
  ].join('\n');
}

function slotText(
  { ordinal, divergedAt, decisions, waits, falls, machines, cost }: Slot,
  from: string,
): readonly string[] {
  const way = divergedAt === null ? '' : `, goes its own way from position ${divergedAt} on`;
  const events: Told[] = [
    ...decisions.map((decision): Told => ({ at: decision.at, line: ['decides', ...decisionText(decision)] })),
    ...waits.map(({ from: since, to, reason }): Told => ({
      at: since,
      line: ['waits', to === null ? 'until the end' : lasting(since, to), reason],
    })),
    ...falls.map(({ at, offer, because }): Told => ({ at, line: ['falls', `from ${offer}`, because] })),
    ...machines.map(({ offer, from: since, to, readyAt, readyBy }): Told => ({
      at: since < from ? from : since,
      line: [
        'runs',
        `on ${offer}`,
        `${to === null ? 'to the end' : lasting(since, to)}; ${readyAt === null ? 'never ready' : `ready ${moment(readyAt)} (${readyBy ?? ''})`}`,
      ],
    })),
  ];
  const rows = events
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ at, line }) => [`  ${moment(at)}`, ...line]);
  return [
    `replica ${ordinal}${way}: ${spentText(cost)}`,
    ...(rows.length === 0 ? ['  nothing is decided for it'] : whyBelow(rows)),
  ];
}

/** A line for each; why stands below it, where there is room for words. */
function whyBelow(rows: readonly (readonly string[])[]): string[] {
  const [titles = '', ...lines] = table(
    ['  WHEN', 'WHAT', 'WHERE, AND WHY'],
    rows.map((row) => row.slice(0, 3)),
  ).split('\n');
  return [
    titles,
    ...lines.flatMap((line, index) => [
      line.trimEnd(),
      ...wrap(rows[index]?.[3] ?? '', proseWidth() - 8, 2).map((why) => `        ${why}`),
    ]),
  ];
}

/** `  rule      …`, broken at 100 columns. */
const told = (what: string, text: string): string[] =>
  wrap(text, proseWidth() - 12, 0).map((line, index) => `  ${(index === 0 ? what : '').padEnd(9)} ${line}`);

/** Where, and why; what was really decided where that was another. */
function decisionText({ outcome, offer, reason, real, candidates }: Decision): readonly [string, string] {
  const where = offer ?? outcome;
  const other =
    real === null || real.offer === offer
      ? []
      : [`really ${real.offer ?? real.outcome} (${real.replica}, position ${real.position})`];
  const passed = candidates
    .filter(({ verdict }) => verdict === 'rejected')
    .map((one) => `not ${one.offer}: ${one.reason}`);
  return [where, [...other, reason, ...(outcome === 'placed' ? passed : [])].join('; ')];
}

const lasting = (from: string, to: string): string => `for ${duration(Date.parse(to) - Date.parse(from))}`;
const moment = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

/** `1.2300 USD and 25m at an unknown price`. */
function spentText({ amounts, unpricedMs }: Spent): string {
  const known = amounts.map(({ amount, currency }) => `${amount} ${currency}`);
  const unknown = unpricedMs === 0 ? [] : [`${duration(unpricedMs)} at an unknown price`];
  const all = [...known, ...unknown];
  return all.length === 0 ? 'nothing' : all.join(' and ');
}
