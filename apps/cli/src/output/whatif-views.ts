import type { WhatIfView } from '@davit/contracts';
import { duration } from './duration.js';
import { table } from './table.js';

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
    ...notes.map((note) => `  note      ${note}`),
    ...rules.map((rule) => `  rule      ${rule}`),
  ].join('\n');
}

function slotText(
  { ordinal, divergedAt, decisions, waits, falls, machines, cost }: Slot,
  from: string,
): readonly string[] {
  const way = divergedAt === null ? '' : `, goes its own way from position ${divergedAt} on`;
  const told: Told[] = [
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
  const rows = told
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ at, line }) => [`  ${moment(at)}`, ...line]);
  return [
    `replica ${ordinal}${way}: ${spentText(cost)}`,
    ...(rows.length === 0 ? ['  nothing is decided for it'] : [table(['  WHEN', 'WHAT', 'WHERE', 'WHY'], rows)]),
  ];
}

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
