import { type CostChange, type DiffItem, type DiffView, type FieldChange, counted } from '@davit/contracts';

const MARKS: Readonly<Record<DiffItem['change'], string>> = { appeared: '+', changed: '~', gone: '-' };
const VALUE_WIDTH = 48;

/** What changed, thing by thing, each field with the event that made it so; then what it cost. */
export function diffText({ from, to, items, costs, left, events }: DiffView): string {
  const head = `From ${from.at} (position ${from.position}) to ${to.at} (${to.position}): ${counted(events, 'event')}`;
  if (items.length === 0 && costs.length === 0) return `${head}\nNothing changed.`;
  return [
    head,
    ...items.flatMap((item) => ['', ...itemLines(item)]),
    ...(left > 0 ? ['', `${left} more that changed are not shown; ask for one deployment, or a shorter time.`] : []),
    ...(costs.length > 0 ? ['', ...costs.map(costLine)] : []),
  ].join('\n');
}

function itemLines({ kind, name, change, fields, position }: DiffItem): readonly string[] {
  const by = fields.find((field) => field.by.position === position)?.by;
  const cause = change === 'changed' || !by ? ` (${position})` : `   ${causeText(by)}`;
  const title = `${MARKS[change]} ${kind} ${name}  ${change}${cause}`;
  return change === 'appeared' ? [title] : [title, ...fields.map(fieldLine)];
}

const fieldLine = ({ field, before, after, by }: FieldChange): string =>
  `    ${field}: ${valueText(before)} → ${valueText(after)}   ${causeText(by)}`;

/** `replica.delete-requested (18) by ci`. */
const causeText = ({ type, position, actor }: FieldChange['by']): string =>
  `${type.slice('davit.'.length)} (${position})${actor === null ? '' : ` by ${actor}`}`;

function valueText(value: FieldChange['before']): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > VALUE_WIDTH ? `${text.slice(0, VALUE_WIDTH - 1)}…` : text;
}

const money = (amounts: CostChange['spent']): string =>
  amounts.length === 0 ? '0' : amounts.map(({ currency, amount }) => `${amount} ${currency}`).join(' + ');

const costLine = ({ deployment, tenant, spent, unpricedMs, hourlyBefore, hourlyAfter }: CostChange): string =>
  `  cost  ${deployment ?? `orphans of ${tenant}`}: spent ${money(spent)}, an hour ${money(hourlyBefore)} → ${money(hourlyAfter)}` +
  (unpricedMs > 0 ? `; ${Math.ceil(unpricedMs / 60_000)} min of machines at a price that nobody said come on top` : '');
