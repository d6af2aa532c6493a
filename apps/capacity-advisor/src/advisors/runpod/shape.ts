import type { StockState } from '@davit/contracts';
import { multiplyAmount } from '@davit/domain';
import { decimalText } from '../../decimal-json.js';
import { type QuotedPrice, type Verdict, unknownBecause } from '../advisor.js';
import { STATE_WORDS, stateOfLevel } from './levels.js';
import type { RunpodQuestion } from './question.js';

/** What both interfaces tell of one GPU type, for the count that was asked. */
export type Observed = {
  readonly secure: boolean;
  /** GPUs of the largest machine on the secure cloud: a ceiling, not stock. */
  readonly most: number | null;
  readonly level: string | null;
  readonly scope: Verdict['scope'];
  /** Sizes that fit now; empty where that is not told. */
  readonly counts: readonly number[];
  /** USD for one GPU and hour in the market asked for; null where none is told, which is not zero. */
  readonly priceOfOne: string | null;
  readonly notes: readonly string[];
  readonly raw: Readonly<Record<string, string>>;
};

/** The decision that both interfaces share. */
export function decideShape(seen: Observed, { accelerator, count, gpu, spot }: RunpodQuestion): Verdict {
  const what = `${accelerator}:${count} (${gpu.runpod.id})`;
  const never = (detail: string): Verdict => ({
    state: 'unavailable',
    level: seen.level,
    scope: 'global',
    detail,
    permanent: true,
    price: null,
    raw: seen.raw,
  });
  if (!seen.secure) return never(`RunPod does not offer ${what} on its secure cloud`);
  if (seen.most !== null && count > seen.most) {
    return never(`no machine of RunPod has ${what}; the largest has ${seen.most}, so ask for fewer`);
  }
  const told = stateOfLevel(seen.level);
  if (told === undefined) {
    const word = (seen.level ?? '').slice(0, 40);
    return unknownBecause(`RunPod reports a level that is not known: "${word}"`, 'unreadable-answer', seen.raw);
  }
  const { state, note } = fitting(told, count, seen.counts);
  const price = quotedFor(seen.priceOfOne, count, spot);
  const notes = [...note, ...seen.notes, ...(price === null ? [NO_PRICE[spot ? 'spot' : 'on-demand']] : [])];
  return {
    state,
    level: seen.level,
    scope: seen.scope,
    detail: [`${what}: ${STATE_WORDS[state]}`, ...notes].join('; '),
    permanent: false,
    price,
    raw: seen.raw,
  };
}

const NO_PRICE = { spot: 'the spot price is not known', 'on-demand': 'no price was quoted' } as const;

/** Stock that does not list the size asked for may not fit it. */
function fitting(
  told: StockState,
  count: number,
  counts: readonly number[],
): { readonly state: StockState; readonly note: readonly string[] } {
  if (told === 'unavailable' || counts.length === 0 || counts.includes(count)) return { state: told, note: [] };
  return { state: 'constrained', note: [`${count} is not among the sizes that fit now (${counts.join(', ')})`] };
}

/** RunPod quotes one GPU; Davit compares whole instances. The disk is billed beside it. */
function quotedFor(priceOfOne: string | null, count: number, spot: boolean): QuotedPrice | null {
  const one = priceOfOne === null ? null : decimalText(priceOfOne);
  if (one === null) return null;
  return { amount: multiplyAmount(one, count), market: spot ? 'spot' : 'on-demand', storage: 'excluded' };
}
