import { leastMemoryMb } from '@davit/contracts';
import { addAmounts, compareAmounts, divideAmount, multiplyAmount } from '@davit/domain';
import { z } from 'zod';
import { decimalText } from '../../decimal-json.js';
import type { QuotedPrice } from '../advisor.js';
import { type VastQuestion, countryOf } from './question.js';

const amount = z.string().transform((text, context) => {
  const plain = decimalText(text);
  if (plain !== null) return plain;
  context.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
});

/** The parts of an offer that the decision needs. Numbers arrive as text; what an offer does not say is not held against it. */
export const vastOffer = z.object({
  gpu_name: z.string(),
  num_gpus: amount,
  dph_total: amount,
  min_bid: amount.nullish(),
  storage_cost: amount.nullish(),
  gpu_ram: amount.nullish(),
  disk_space: amount.nullish(),
  geolocation: z.string().nullish(),
  rentable: z.boolean().nullish(),
  rented: z.boolean().nullish(),
});
export type VastOffer = z.infer<typeof vastOffer>;

const spaced = (name: string): string => name.replaceAll('_', ' ').trim();

/** Whether an offer is what was asked for. Vast filters, but an offer that says otherwise of itself does not count. */
export function satisfies(offer: VastOffer, { gpu, count, diskGiB }: VastQuestion): boolean {
  const { gpu_ram: ram, disk_space: disk } = offer;
  return (
    gpu.gpuNames.includes(spaced(offer.gpu_name)) &&
    compareAmounts(offer.num_gpus, String(count)) === 0 &&
    offer.rentable !== false &&
    offer.rented !== true &&
    (ram == null || compareAmounts(ram, String(leastMemoryMb(gpu.memoryGiB))) >= 0) &&
    (disk == null || diskGiB === null || compareAmounts(disk, String(diskGiB)) >= 0)
  );
}

/** Whether an offer is in the country that was asked for; null where it does not say where it is. */
export function isThere({ geolocation }: VastOffer, { country }: VastQuestion): boolean | null {
  if (country === null) return true;
  const where = geolocation == null ? null : countryOf(geolocation);
  return where === null ? null : where === country;
}

/** Vast bills storage by a month of so many hours. */
const HOURS_A_MONTH = 720;
const DECIMALS = 6;

/**
 * What the whole machine costs an hour. On demand that is `dph_total` at the disk that was asked for; what may be interrupted
 * goes for the least bid, and its disk is paid beside it. Null where the offer names no bid, which is not zero.
 */
export function priceOf(offer: VastOffer, { spot, diskGiB }: VastQuestion): QuotedPrice | null {
  if (!spot) {
    const storage = diskGiB === null ? {} : ({ storage: 'included' } as const);
    return { amount: offer.dph_total, market: 'on-demand', ...storage };
  }
  const { min_bid: bid, storage_cost: perGibMonth } = offer;
  if (bid == null) return null;
  if (perGibMonth == null || diskGiB === null) return { amount: bid, market: 'bid', storage: 'excluded' };
  const disk = divideAmount(multiplyAmount(perGibMonth, diskGiB), HOURS_A_MONTH, DECIMALS);
  return { amount: addAmounts(bid, disk), market: 'bid', storage: 'included' };
}

/** An offer is one machine: replicas that come at the same time get one after the other, each dearer than the one before. */
const QUOTED_OFFER = 4;

/**
 * The price that a machine of the market is taken to cost: that of the fourth cheapest, or of the dearest where there are fewer,
 * so that a few machines rented on the word of one answer do not cost more than it said. Null where no price is known.
 */
export function quoteOf(prices: readonly (QuotedPrice | null)[]): QuotedPrice | null {
  const known = prices.filter((price) => price !== null);
  const sorted = known.sort((a, b) => compareAmounts(a.amount, b.amount));
  return sorted.slice(0, QUOTED_OFFER).at(-1) ?? null;
}
