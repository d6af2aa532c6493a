import { type VastGpu, leastMemoryMb, unknownAccelerator, vastGpuOf } from '@davit/contracts';
import type { StockQuestion } from '../advisor.js';

/** What is searched at Vast for a placement. */
export type VastQuestion = {
  readonly accelerator: string;
  readonly gpu: VastGpu;
  readonly count: number;
  readonly spot: boolean;
  readonly diskGiB: number | null;
  /** ISO code of the country; null for anywhere. */
  readonly country: string | null;
  /** A region that offers cannot be searched by; the whole market answers then. */
  readonly unsearchable: string | null;
};

export function vastQuestion({
  placement: { accelerator, region, spot },
  diskGiB,
}: StockQuestion): { readonly question: VastQuestion } | { readonly impossible: string } {
  if (accelerator === null) return { impossible: 'Vast is asked about GPUs only; this placement names none' };
  const { name, count } = accelerator;
  const gpu = vastGpuOf(name);
  if (!gpu) return { impossible: `no mapping: ${unknownAccelerator('vast', name)}` };
  const country = region === null ? null : countryOf(region);
  const unsearchable = country === null ? region : null;
  return { question: { accelerator: name, gpu, count, spot, diskGiB, country, unsearchable } };
}

const CONTINENTS = new Set(['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA']);

/**
 * The country in a location as hosts and SkyPilot write it: "US", "Texas, US", "Texas, US, NA" with the continent last. Null
 * for a code alone that may be a continent's: "NA" is Namibia or North America, and nobody is told that one has no stock
 * because the other has none.
 */
export function countryOf(location: string): string | null {
  const codes = location
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^[A-Z]{2}$/.test(part));
  const [last, before] = codes.toReversed();
  if (last === undefined || !CONTINENTS.has(last)) return last ?? null;
  return before ?? null;
}

/** More offers than this are not read, the cheapest first. */
export const MOST_OFFERS = 256;

/**
 * Body of `POST /api/v0/bundles/`: what SkyPilot would take, cheapest first. The country is left out and looked for in the
 * answer: hosts write it behind whatever else they say of their place, and so one search serves all regions.
 */
export function searchBody({ gpu, count, spot, diskGiB }: VastQuestion): string {
  const [only, ...others] = gpu.gpuNames;
  return JSON.stringify({
    verified: { eq: true },
    external: { eq: false },
    rentable: { eq: true },
    rented: { eq: false },
    gpu_name: others.length === 0 ? { eq: only } : { in: gpu.gpuNames },
    num_gpus: { eq: count },
    gpu_ram: { gte: leastMemoryMb(gpu.memoryGiB) },
    ...(diskGiB === null ? {} : { disk_space: { gte: diskGiB }, allocated_storage: diskGiB }),
    type: spot ? 'bid' : 'on-demand',
    order: [['dph_total', 'asc']],
    limit: MOST_OFFERS,
  });
}
