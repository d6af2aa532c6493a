import type { Manifest } from '../simulation.js';

export const SERVERLESS_KEY = 'default/chat';

export interface CandidateWish {
  /** Tells candidates apart. */
  readonly maxModelLen: string;
  readonly approval?: 'required' | 'none';
}

/** A serverless deployment whose revisions prove themselves within minutes. */
export function serverlessManifest({ maxModelLen, approval = 'required' }: CandidateWish): Manifest {
  const args = `--served-model-name qwen3-8b --port 8000 --max-model-len ${maxModelLen}`;
  return {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'chat' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen3-8b' },
      runtime: { engine: 'vllm' },
      compute: {
        mode: 'serverless',
        template: {
          ...{ image: 'vllm/vllm-openai:v0.11.0', ports: [8000], diskGiB: 40 },
          env: { VLLM_MODEL: 'Qwen/Qwen3-8B', VLLM_ARGS: args },
        },
        workers: { cold: 2, max: 4, minLoad: 400 },
      },
      readiness: { startDeadline: '20m' },
      rollout: {
        strategy: 'evidence',
        approval,
        objectives: { latencyP95: '6s', errorRate: 0.3, queueTimeP95: '5s' },
        load: { requestsPerSecond: 3, prompts: 'any.jsonl', rampDuration: '6s', maxDuration: '20m', maxSpend: '9.00' },
        canary: { maxSpend: '9.00', maxWorkers: 2, deadline: '10m', removalDeadline: '10m' },
        acceptance: {
          ...{ alpha: 0.2, beta: 0.05, minimumSamples: 60, deadline: '5m', convergeDeadline: '4m' },
          tolerated: { latency: 4, errorRate: 0.3 },
        },
      },
      secrets: [{ name: 'VLLM_API_KEY', from: { env: 'VAST_API_KEY' } }],
    },
  };
}
