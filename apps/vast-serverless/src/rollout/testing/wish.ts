import type { CANDIDATE } from './rollout-rig.js';
import type { VastSettings } from '../../vast/settings.js';

/** What is other than usual in a scenario. */
export interface Wish {
  /** Switches of the simulated Vast. */
  readonly vast?: object;
  readonly settings?: Partial<VastSettings>;
  readonly candidate?: typeof CANDIDATE;
  readonly workers?: object;
  /** Parts of `spec.rollout`, in place of the usual ones. */
  readonly rollout?: object;
}

/** `spec.rollout` of a candidate that is to prove itself within minutes. */
export const evidenceOf = ({ rollout }: Wish): object => ({
  objectives: { latencyP95: '6s', errorRate: 0.2, queueTimeP95: '5s' },
  approval: 'required',
  load: { requestsPerSecond: 4, prompts: 'qwen.jsonl', rampDuration: '15s', maxDuration: '10m', maxSpend: '3.00' },
  canary: { maxSpend: '2.00', maxWorkers: 2, deadline: '2m', removalDeadline: '2m' },
  acceptance: {
    ...{ alpha: 0.05, beta: 0.05, minimumSamples: 240, deadline: '3m', convergeDeadline: '1m' },
    tolerated: { latency: 1, errorRate: 0.2 },
  },
  ...rollout,
});
