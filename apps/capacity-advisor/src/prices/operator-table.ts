import type { HourlyPrice, Placement } from '@davit/contracts';
import { OPERATOR_SOURCE, marketOf } from '@davit/domain';
import { type Clock, type Logger, isoTime } from '@davit/ports';
import { type PriceFiles, wordsOf } from './files.js';
import type { PriceSource } from './source.js';
import { type PriceRow, type TableReading, parsePriceTable } from './table.js';

type Parts = { readonly files: PriceFiles; readonly clock: Clock; readonly logger: Logger };

/** Between two looks at whether the file changed. */
const LOOK_MS = 5_000;

type Kept = {
  /** Of the file as it was last read, whether or not it was good. */
  readonly stamp: string | undefined;
  /** The last good table. */
  readonly rows: readonly PriceRow[];
  /** When the good table was last seen standing. */
  readonly seenAtMs: number;
  readonly problem: string | undefined;
};

/**
 * The operator's own prices. The file is read again when it changes; a new one that is broken, or gone, is told of and leaves
 * the last good one in place, with the age it has: it goes stale unless the file is mended.
 */
export function operatorTable(path: string, { files, clock, logger }: Parts): PriceSource {
  let kept: Kept = { stamp: undefined, rows: [], seenAtMs: 0, problem: undefined };
  let looking: Promise<void> | undefined;
  let lookAgainMs = 0;

  async function look(): Promise<void> {
    const before = kept;
    kept = await present(before, path, files, clock);
    const { problem, rows } = kept;
    if (problem !== before.problem && problem !== undefined)
      logger.error(
        { file: path, keptRows: rows.length, problem },
        'the table of prices cannot be used; the last good one is kept',
      );
    if (problem === undefined && before.rows !== rows)
      logger.info({ file: path, rows: rows.length }, 'a table of prices was read');
    lookAgainMs = clock.monotonicMs() + LOOK_MS;
  }

  return {
    async pricesOf(placement) {
      if (clock.monotonicMs() >= lookAgainMs) {
        looking ??= look().finally(() => {
          looking = undefined;
        });
        await looking;
      }
      const row = bestRow(kept.rows, placement);
      return row ? [priceOf(row, kept.seenAtMs, clock.nowMs())] : [];
    },
  };
}

async function present(before: Kept, path: string, files: PriceFiles, clock: Clock): Promise<Kept> {
  try {
    const stamp = await files.stamp(path);
    if (stamp === undefined) return { ...before, stamp, problem: `there is no file ${path}` };
    if (stamp === before.stamp) return before.problem === undefined ? { ...before, seenAtMs: clock.nowMs() } : before;
    const reading = parsePriceTable(await files.text(path));
    if (!reading.ok) return { ...before, stamp, problem: problemsOf(reading) };
    return { stamp, rows: reading.rows, seenAtMs: clock.nowMs(), problem: undefined };
  } catch (error) {
    return { ...before, stamp: undefined, problem: wordsOf(error) };
  }
}

const problemsOf = ({ problems }: Extract<TableReading, { ok: false }>): string =>
  problems.map(({ path, message, remedy }) => `${path} ${message}. ${remedy}`.trim()).join('\n');

/** Of the rows that speak of a placement the most exact: its region counts more than its number of GPUs. */
function bestRow(rows: readonly PriceRow[], placement: Placement): PriceRow | undefined {
  const exactness = ({ region, count }: PriceRow): number =>
    (region === undefined ? 0 : 2) + (count === undefined ? 0 : 1);
  return rows.filter((row) => speaksOf(row, placement)).toSorted((a, b) => exactness(b) - exactness(a))[0];
}

const speaksOf = (row: PriceRow, placement: Placement): boolean =>
  row.cloud === placement.cloud &&
  row.market === marketOf(placement) &&
  (row.region === undefined || row.region === placement.region) &&
  row.accelerator === placement.accelerator?.name &&
  (row.count === undefined || row.count === placement.accelerator?.count);

/** A guarantee that has ended is none any more, and the row is an estimate like others. */
function priceOf(row: PriceRow, seenAtMs: number, nowMs: number): HourlyPrice {
  const { amount, currency, unit, market, storage, guaranteedUntil } = row;
  const price: HourlyPrice = {
    amount,
    currency,
    unit,
    kind: 'catalogue',
    source: OPERATOR_SOURCE,
    observedAt: isoTime(seenAtMs),
    market,
    storage,
  };
  return guaranteedUntil !== undefined && Date.parse(guaranteedUntil) > nowMs ? { ...price, guaranteedUntil } : price;
}
