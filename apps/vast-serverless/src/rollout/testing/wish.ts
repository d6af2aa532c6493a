import { type NormalisedDeployment, parseDeployment } from '@davit/contracts';
import type { Tap } from '@davit/stage';
import type { VastSettings } from '../../vast/settings.js';
import type { RolloutPace } from '../pace.js';
import type { CANDIDATE } from './setting.js';

/** What is other than usual in a scenario. */
export interface Wish {
  /** Switches of the simulated Vast. */
  readonly vast?: object;
  readonly settings?: Partial<VastSettings>;
  readonly pace?: Partial<RolloutPace>;
  readonly candidate?: typeof CANDIDATE;
  readonly workers?: object;
  /** Parts of `spec.rollout`, in place of the usual ones. */
  readonly rollout?: object;
  /** The key has the permissions that a rollout needs, and no more; by default it is that of the account itself. */
  readonly isScoped?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** Stands between the service and its ports. */
  readonly tap?: Tap;
}

/** `spec.rollout` of a candidate that is to prove itself within minutes. */
const evidenceOf = ({ rollout }: Wish): object => ({
  objectives: { latencyP95: '6s', errorRate: 0.2, queueTimeP95: '5s' },
  approval: 'required',
  load: { requestsPerSecond: 4, prompts: 'qwen.jsonl', rampDuration: '12s', maxDuration: '10m', maxSpend: '3.00' },
  canary: { maxSpend: '2.00', maxWorkers: 2, deadline: '2m', removalDeadline: '2m' },
  acceptance: {
    ...{ alpha: 0.2, beta: 0.05, minimumSamples: 150, deadline: '2m', convergeDeadline: '1m' },
    tolerated: { latency: 1, errorRate: 0.2 },
  },
  ...rollout,
});

/** Revision 1 by `surge`, what is to prove itself by `evidence`. */
export function specOf(
  templateHash: string | null,
  strategy: 'surge' | 'evidence',
  wish: Wish,
  { secrets = [], ...compute }: { readonly secrets?: readonly object[]; readonly [field: string]: unknown } = {},
): NormalisedDeployment {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen3-8b' },
      runtime: { engine: 'vllm' },
      compute: {
        ...{
          mode: 'serverless',
          ...(templateHash === null ? {} : { templateHash }),
          workers: { cold: 2, max: 4, minLoad: 400, ...wish.workers },
        },
        ...compute,
      },
      secrets,
      rollout: { strategy, ...(strategy === 'evidence' ? evidenceOf(wish) : {}) },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
}
