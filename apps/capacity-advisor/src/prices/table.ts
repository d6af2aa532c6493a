import { type FieldProblem, acceleratorNames, describeIssues, unknownAccelerator } from '@davit/contracts';
import { parseDocument } from 'yaml';
import { z } from 'zod';

/** Text of one form; `wrong` says what a value of another form is not, and what to write. */
const form = (pattern: RegExp, wrong: string) => z.string({ error: wrong }).regex(pattern, { error: wrong });

const priceRow = z.strictObject({
  cloud: form(/^[a-z][a-z0-9-]{0,39}$/, 'is not a cloud name; write it in lower case, for example "runpod"'),
  region: form(
    /^\S.{0,99}$/,
    'is not a region; write it as placements do, or leave it out for every region',
  ).optional(),
  accelerator: form(
    /^[\w.-]{1,60}$/,
    'is not an accelerator; write its name, for example "L40S", or leave it out for machines without GPU',
  ).optional(),
  count: form(
    /^[1-9]\d{0,3}$/,
    'is not a count; write the number of GPUs of the machine, or leave it out for any number',
  )
    .transform(Number)
    .optional(),
  market: z.enum(['on-demand', 'spot']),
  amount: form(/^\d{1,12}(\.\d{1,6})?$/, 'is not an amount; write at most 12 digits and 6 decimals, for example 0.86'),
  currency: form(/^[A-Z]{3}$/, 'is not a currency; write its three capitals, for example USD'),
  unit: z.enum(['gpu-hour', 'instance-hour']),
  storage: z.enum(['included', 'excluded']),
  guaranteedUntil: z.iso
    .datetime({ error: 'is not an instant; write it in UTC, for example 2027-01-31T00:00:00Z' })
    .optional(),
});
export type PriceRow = z.infer<typeof priceRow>;

/** Reading holds up whatever else the service does: a table of this length takes about a second, on the change of its file. */
const MOST_ROWS = 2_000;
const MOST_CHARACTERS = 1_000_000;

const priceTable = z.strictObject({ prices: z.array(priceRow).max(MOST_ROWS) });

export type TableReading =
  | { readonly ok: true; readonly rows: readonly PriceRow[] }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Reads the operator's own table of prices, YAML or JSON. Every value is read as the text it was written in, quoted or not, so
 * that no amount passes through a float. One mistake refuses the whole table, with the row and the remedy of each.
 */
export function parsePriceTable(text: string): TableReading {
  if (text.length > MOST_CHARACTERS) {
    const message = `has ${text.length} characters, and at most ${MOST_CHARACTERS} are read`;
    return refused([{ path: '', message, remedy: 'Leave out region or count where one price holds for all of them.' }]);
  }
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: true });
  const [fault] = document.errors;
  if (fault) {
    const at = fault.linePos?.[0];
    const message = `line ${at?.line ?? 1}, column ${at?.col ?? 1}: is not YAML: ${fault.message.split('\n')[0] ?? ''}`;
    return refused([{ path: '', message, remedy: 'Mend the file; JSON is accepted as well.' }]);
  }
  const content: unknown = document.toJS({ maxAliasCount: 100 });
  const parsed = priceTable.safeParse(content);
  if (!parsed.success) return refused(describeIssues(parsed.error.issues, priceTable, content));
  const rows = parsed.data.prices;
  const problems = [...rows.flatMap(contradictions), ...twice(rows)];
  return problems.length > 0 ? refused(problems) : { ok: true, rows };
}

const refused = (problems: readonly FieldProblem[]): TableReading => ({ ok: false, problems });

function contradictions({ cloud, accelerator, count, unit }: PriceRow, index: number): readonly FieldProblem[] {
  const problem = (field: string, message: string, remedy: string): FieldProblem => ({
    path: `prices[${index}].${field}`,
    message,
    remedy,
  });
  if (accelerator === undefined) {
    if (unit === 'instance-hour' && count === undefined) return [];
    const field = count === undefined ? 'unit' : 'count';
    return [
      problem(field, 'speaks of GPUs where no accelerator is named', 'Name the accelerator, or price the instance.'),
    ];
  }
  if (!acceleratorNames(cloud).includes(accelerator)) {
    return [
      problem('accelerator', unknownAccelerator(cloud, accelerator), 'Write the name that SkyPilot launches it by.'),
    ];
  }
  if (unit === 'instance-hour' && count === undefined) {
    return [
      problem('count', 'is missing', 'A price of a whole instance needs its number of GPUs; or write unit: gpu-hour.'),
    ];
  }
  return [];
}

/** What a row prices; what it leaves out holds for all. */
export type Priced = Pick<PriceRow, 'cloud' | 'region' | 'accelerator' | 'count' | 'market'>;

export const pricedKey = ({ cloud, region, accelerator, count, market }: Priced): string =>
  JSON.stringify([cloud, region, accelerator, count, market]);

/** Two rows that price the same would make the price depend on their order. */
function twice(rows: readonly PriceRow[]): readonly FieldProblem[] {
  const first = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const key = pricedKey(row);
    const known = first.get(key);
    if (known === undefined) {
      first.set(key, index);
      return [];
    }
    return [
      { path: `prices[${index}]`, message: `prices the same as prices[${known}]`, remedy: 'Keep one of the two.' },
    ];
  });
}
