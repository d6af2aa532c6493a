import type { Placement } from '@davit/contracts';
import { type RunpodGpu, runpodGpuOf } from './gpus.js';

/** What is asked of RunPod for a placement, and at which scope the answer can hold. */
export type RunpodQuestion = {
  readonly gpu: RunpodGpu;
  readonly accelerator: string;
  readonly count: number;
  readonly spot: boolean;
  readonly place:
    | { readonly kind: 'global'; readonly note: string | null }
    | { readonly kind: 'country'; readonly code: string }
    | { readonly kind: 'data-center'; readonly id: string };
};

export type Asked = { readonly question: RunpodQuestion } | { readonly impossible: string };

/** SkyPilot writes RunPod's countries as regions and its data centers as zones. */
const COUNTRY = /^[A-Z]{2}$/;
const DATA_CENTER = /^[A-Z]{2,3}-[A-Z]{2,4}-\d+$/;

export function questionFor({ accelerator, region, spot }: Placement): Asked {
  if (accelerator === null) return { impossible: 'RunPod is asked about GPUs only; this placement names none' };
  const { name, count } = accelerator;
  const gpu = runpodGpuOf(name);
  if (!gpu) return { impossible: `no mapping: RunPod has no GPU type known as ${name}` };
  return { question: { gpu, accelerator: name, count, spot, place: placeOf(region) } };
}

function placeOf(region: string | null): RunpodQuestion['place'] {
  if (region === null) return { kind: 'global', note: null };
  if (COUNTRY.test(region)) return { kind: 'country', code: region };
  if (DATA_CENTER.test(region)) return { kind: 'data-center', id: region };
  return { kind: 'global', note: `RunPod cannot be asked about "${region}": this is its signal for the whole cloud` };
}

/** Address of the question in REST v2. The key is no part of it: that stands only in a header. */
export function urlOf(baseUrl: string, { gpu, count, place }: RunpodQuestion): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/v2/catalog/gpus/${encodeURIComponent(gpu.id)}`);
  url.searchParams.set('include', 'AVAILABILITY');
  url.searchParams.set('product', 'POD');
  url.searchParams.set('count', String(count));
  url.searchParams.set('cloud', 'SECURE');
  if (place.kind === 'country') url.searchParams.set('countryCodes', place.code);
  return url.toString();
}
