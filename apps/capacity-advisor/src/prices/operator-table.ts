import type { HourlyPrice, Placement } from '@davit/contracts';
import { OPERATOR_SOURCE, PRICE_LIFETIME_MS } from '@davit/domain';
import { type Clock, type Logger, isoTime } from '@davit/ports';
import { type PriceFiles, wordsOf } from './files.js';
import type { PriceSource } from './source.js';
import { type PriceRow, type TableReading, parsePriceTable, pricedKey } from './table.js';

type Parts = { readonly files: PriceFiles; readonly clock: Clock; readonly logger: Logger };

/** Between two looks at whether the file changed. */
const LOOK_MS = 5_000;

type Table = ReadonlyMap<string, PriceRow>;

type Kept = {
  /** Of the file as it was last read, whether or not it was good. */
  readonly stamp: string | undefined;
  /** The last good table, by what each row prices. */
  readonly rows: Table;
  /** When the good table was last seen standing. */
  readonly seenAtMs: number;
  readonly problem: string | undefined;
};

/**
 * The operator's own prices. The file is read again when it changes; a new one that is broken, or gone, is told of and leaves
 * the last good one in place, with the age it has: it goes stale unless the file is mended.
 */
export function operatorTable(path: string, { files, clock, logger }: Parts): PriceSource {
  let kept: Kept = { stamp: undefined, rows: new Map(), seenAtMs: 0, problem: undefined };
  let looking: Promise<void> | undefined;
  let lookAgainMs = 0;

  async function look(): Promise<void> {
    const before = kept;
    kept = await present(before, path, files, clock);
    const { problem, rows } = kept;
    if (problem !== before.problem && problem !== undefined)
      logger.error(
        { file: path, keptRows: rows.size, problem },
        'the table of prices cannot be used; the last good one is kept',
      );
    if (problem === undefined && before.rows !== rows)
      logger.info({ file: path, rows: rows.size }, 'a table of prices was read');
    lookAgainMs = clock.monotonicMs() + LOOK_MS;
  }

  async function upToDate(): Promise<Kept> {
    if (clock.monotonicMs() >= lookAgainMs) {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      await looking;
    }
    return kept;
  }

  return {
    async fault() {
      const { problem, rows, seenAtMs } = await upToDate();
      if (problem === undefined) return undefined;
      const instead =
        rows.size === 0 ? 'none is in force' : `the one of ${isoTime(seenAtMs)} is in force until it goes stale`;
      return `the table of prices ${path} cannot be used, ${instead}: ${problem}`;
    },
    async pricesOf(placement) {
      const { rows, seenAtMs } = await upToDate();
      const row = bestRow(rows, placement);
      return row ? [priceOf(row, seenAtMs, clock.nowMs())] : [];
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
    const rows = new Map(reading.rows.map((row) => [pricedKey(row), row]));
    return { stamp, rows, seenAtMs: clock.nowMs(), problem: undefined };
  } catch (error) {
    return { ...before, stamp: undefined, problem: wordsOf(error) };
  }
}

const problemsOf = ({ problems }: Extract<TableReading, { ok: false }>): string =>
  problems.map(({ path, message, remedy }) => `${path} ${message}. ${remedy}`.trim()).join('\n');

/** Of the rows that speak of a placement the most exact: its region counts more than its number of GPUs. */
function bestRow(rows: Table, placement: Placement): PriceRow | undefined {
  const { cloud, accelerator, region } = placement;
  const count = accelerator?.count;
  const regions = region === null ? [undefined] : [region, undefined];
  const keys = regions.flatMap((place) =>
    [count, undefined].map((gpus) =>
      pricedKey({ cloud, region: place, accelerator: accelerator?.name, count: gpus, market: listMarketOf(placement) }),
    ),
  );
  return keys.map((key) => rows.get(key)).find((row) => row !== undefined);
}

const listMarketOf = ({ spot }: Placement): PriceRow['market'] => (spot ? 'spot' : 'on-demand');

/**
 * A guarantee that has ended is none any more, and the row is an estimate like others. One of a table that has been gone or broken
 * for as long as a list price lives is none either: nobody can be seen to hold to it.
 */
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
  const stands = nowMs < seenAtMs + PRICE_LIFETIME_MS.catalogue;
  const held = guaranteedUntil !== undefined && Date.parse(guaranteedUntil) > nowMs;
  return stands && held ? { ...price, guaranteedUntil } : price;
}
