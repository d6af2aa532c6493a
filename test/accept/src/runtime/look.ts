import type { ProbeResult } from '@davit/domain';
import { systemClock, undiciHttpClient } from '@davit/ports';
import { engineOf, probe } from '@davit/runtime-prober';
import { MODEL } from './model.js';

export const ENGINE = engineOf({ engine: 'vllm' });
const http = undiciHttpClient();
const TIMEOUTS = { checkMs: 5_000, inferenceMs: 5_000 };

export interface LookOptions {
  readonly apiKey?: string;
  readonly expectedModel?: string;
  readonly stated?: Parameters<typeof probe>[1]['stated'];
}

/** One look of the prober at the server, with the proof that it computes. */
export const look = (
  url: string,
  { apiKey, expectedModel = MODEL.servedName, stated }: LookOptions = {},
): Promise<ProbeResult> =>
  probe(
    { url, expectedModel, ...(apiKey === undefined ? {} : { apiKey }) },
    { engine: ENGINE, phase: 'start', infer: true, ...(stated ? { stated } : {}) },
    { http, clock: systemClock, nowMs: () => systemClock.nowMs(), timeouts: TIMEOUTS },
  );

/** `ready`, `wrong-model`, or why it is not ready. */
export const verdictOf = (result: ProbeResult): string =>
  result.outcome === 'unready' ? result.reason : result.outcome;

export function saidOf(result: ProbeResult): string {
  switch (result.outcome) {
    case 'ready':
      return `health in ${Math.round(result.healthMs)} ms, inference in ${Math.round(result.inferenceMs ?? 0)} ms`;
    case 'unready':
      return result.detail;
    case 'wrong-model':
      return `found ${result.found.join(', ')}`;
  }
}
