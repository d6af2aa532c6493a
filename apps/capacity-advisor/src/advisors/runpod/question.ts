import { type RunpodGpu, runpodGpuOf, unknownAccelerator } from '@davit/contracts';
import type { StockQuestion } from '../advisor.js';

/** What is asked of RunPod for a placement, and at which scope the answer can hold. */
export type RunpodQuestion = {
  readonly gpu: RunpodGpu;
  /** Name that the placement asks for. */
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

/** Disk is no part of it: RunPod's catalogue cannot be asked for disk, and its machines offer any that Davit asks for. */
export function questionFor({ placement: { accelerator, region, spot } }: StockQuestion): Asked {
  if (accelerator === null) return { impossible: 'RunPod is asked about GPUs only; this placement names none' };
  const { name, count } = accelerator;
  const gpu = runpodGpuOf(name);
  if (!gpu) return { impossible: `no mapping: ${unknownAccelerator('runpod', name)}` };
  return { question: { gpu, accelerator: name, count, spot, place: placeOf(region) } };
}

function placeOf(region: string | null): RunpodQuestion['place'] {
  if (region === null) return { kind: 'global', note: null };
  if (COUNTRY.test(region)) return { kind: 'country', code: region };
  if (DATA_CENTER.test(region)) return { kind: 'data-center', id: region };
  return { kind: 'global', note: `RunPod cannot be asked about "${region}": ${GLOBAL_SIGNAL}` };
}

/** Said wherever a narrower question got this answer. */
export const GLOBAL_SIGNAL = "this is RunPod's signal for the whole cloud";
