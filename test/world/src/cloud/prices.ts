import { gpuByName, type GpuType } from './gpus.js';
import { type Tier } from './stock.js';

/** What a provider asks for one GPU and hour, USD. Null: it has no such price, which is not a price of zero. */
export interface ListPrice {
  readonly secure: number | null;
  readonly community: number | null;
  readonly secureSpot: number | null;
  readonly communitySpot: number | null;
  readonly serverless: number | null;
}

export interface PriceChange extends Partial<ListPrice> {
  readonly cloud?: string;
  /** Any name of the GPU type. */
  readonly gpu: string;
  /** What a machine is billed at, as a share of the list: discounts, and list prices that are out of date. */
  readonly billedFactor?: number;
}

export const PRICE_FIELDS = ['secure', 'community', 'secureSpot', 'communitySpot', 'serverless'] as const;

/** USD to a millionth, so that sums of list prices stay readable. */
export const dollars = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/** List prices by cloud and GPU type, and what is really billed. */
export class Prices {
  private readonly changed = new Map<string, Partial<ListPrice>>();
  private readonly factors = new Map<string, number>();

  list(cloud: string, gpu: GpuType): ListPrice {
    const standard: ListPrice = {
      secure: gpu.securePrice,
      community: gpu.communityPrice,
      secureSpot: dollars(gpu.securePrice / 2),
      communitySpot: dollars(gpu.communityPrice / 2),
      serverless: dollars(gpu.securePrice * 2.5),
    };
    return { ...standard, ...this.changed.get(`${cloud}|${gpu.id}`) };
  }

  /** For one GPU and hour; null when the provider has no such price. */
  of(cloud: string, gpu: GpuType, tier: Tier, spot: boolean): number | null {
    const { secure, community, secureSpot, communitySpot } = this.list(cloud, gpu);
    if (tier === 'SECURE') return spot ? secureSpot : secure;
    return spot ? communitySpot : community;
  }

  billedFactor(cloud: string, gpu: GpuType): number {
    return this.factors.get(`${cloud}|${gpu.id}`) ?? 1;
  }

  set(change: PriceChange): boolean {
    const gpu = gpuByName(change.gpu);
    if (!gpu) return false;
    const key = `${change.cloud ?? 'runpod'}|${gpu.id}`;
    const given = PRICE_FIELDS.filter((field) => change[field] !== undefined);
    this.changed.set(key, {
      ...this.changed.get(key),
      ...Object.fromEntries(given.map((field) => [field, change[field]])),
    });
    if (change.billedFactor !== undefined) this.factors.set(key, change.billedFactor);
    return true;
  }
}
