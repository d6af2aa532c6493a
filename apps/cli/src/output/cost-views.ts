import { type CostFigure, type CostRow, type CostView, counted } from '@davit/contracts';
import { compareAmounts, divideDecimal, timesDecimal } from '@davit/domain';
import { duration } from './duration.js';
import { amountText } from './prices.js';
import { table } from './table.js';

const CITED = 4;

/** What was spent, one line for each row and currency; the total last. */
export function costText({ from, to, by, rows, total, left, position }: CostView): string {
  const header = [by.toUpperCase(), 'CONFIRMED', 'HELD (AT MOST)', 'UNPRICED', 'MACHINES', 'PRICED BY'];
  const lines = [...rows.flatMap((row) => linesOf(nameOf(row, by), row)), ...linesOf('total', total)];
  return [
    `${from} to ${to}, days in UTC; at position ${position}${total.closed ? '' : '; the last day goes on'}`,
    '',
    rows.length === 0
      ? 'nothing was spent'
      : withEvents(
          table(
            header,
            lines.map(({ cells }) => cells),
          ),
          lines,
        ),
    ...(left === 0 ? [] : [`${counted(left, 'more row')} in the total; ask for fewer days, or for one deployment`]),
    ...deviationsOf(total),
    ...explanationOf(total),
  ].join('\n');
}

function nameOf({ day, replica, deployment, tenant, orphans }: CostRow, by: CostView['by']): string {
  if (by === 'deployment' && orphans > 0) return `orphans of ${tenant ?? ''}`;
  return day ?? (replica ?? deployment ?? tenant ?? '').replace(/^default\//, '');
}

type Line = { readonly cells: readonly string[]; readonly cited: string };

/** The events below their figures: they and what they say are seldom short enough for one line. */
function withEvents(text: string, lines: readonly Line[]): string {
  const [header = '', ...figures] = text.split('\n');
  const told = figures.flatMap((line, index) => {
    const cited = lines[index]?.cited ?? '';
    return cited === '' ? [line] : [line, `    events ${cited}`];
  });
  return [header, ...told].join('\n');
}

function linesOf(name: string, row: CostRow): Line[] {
  const { figures, unpriced, machines, billing, evidence } = row;
  const rest = [unpricedText(unpriced), `${machines}${billing === 0 ? '' : `, ${billing} on`}`];
  const cited = citedText(evidence.held);
  if (figures.length === 0) return [{ cells: [name, 'unknown', 'unknown', ...rest, '–'], cited }];
  return figures.map((figure, index) => {
    const amounts = [`${amountText(figure.confirmed)} ${figure.currency}`, heldText(figure)];
    return index === 0
      ? { cells: [name, ...amounts, ...rest, sharesOf(figure)], cited }
      : { cells: ['', ...amounts, '', '', sharesOf(figure)], cited: '' };
  });
}

function heldText({ held, takenBack, currency }: CostFigure): string {
  const back = compareAmounts(takenBack, '0') === 0 ? '' : ` − ${amountText(takenBack)}`;
  return `${amountText(held)}${back} ${currency}`;
}

const unpricedText = ({ heldMs, takenBackMs }: CostRow['unpriced']): string =>
  heldMs === 0 && takenBackMs === 0
    ? '–'
    : `${duration(heldMs)}${takenBackMs === 0 ? '' : ` − ${duration(takenBackMs)}`}`;

/** `billed 80 %, quoted 20 %` of what is held. */
function sharesOf({ held, byKind }: CostFigure): string {
  if (compareAmounts(held, '0') === 0) return '–';
  if (byKind.length === 1) return byKind[0]?.kind ?? '–';
  return byKind.map((share) => `${share.kind} ${divideDecimal(timesDecimal(share.held, '100'), held, 0)} %`).join(', ');
}

function citedText({ positions, more }: CostRow['evidence']['held']): string {
  const hidden = more + Math.max(0, positions.length - CITED);
  return `${positions.slice(0, CITED).join(', ')}${hidden === 0 ? '' : ` +${hidden}`}`;
}

const deviationsOf = ({ figures }: CostRow): string[] =>
  figures.flatMap(({ deviation, currency }) =>
    deviation
      ? [
          `billed ${amountText(deviation.billed)} ${currency} where ${amountText(deviation.estimate)} was estimated: ${deviation.percent}`,
        ]
      : [],
  );

function explanationOf({ figures, unpriced, orphans, unreadable }: CostRow): string[] {
  const back = figures.some(({ takenBack }) => compareAmounts(takenBack, '0') > 0);
  return [
    ...(back ? ['− what was held on an earlier day for a machine that turned out never to have been'] : []),
    ...(orphans > 0
      ? [`${counted(orphans, 'machine')} without an owner in the sums, and in no budget: davit orphans`]
      : []),
    ...(unreadable > 0
      ? [`the books of ${counted(unreadable, 'machine')} cannot be read: what they cost comes on top`]
      : []),
    ...(unpriced.heldMs > 0 ? ['machine time at an unknown price comes on top: it is not free'] : []),
  ];
}
