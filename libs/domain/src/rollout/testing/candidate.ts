import { type NormalisedDeployment, parseDeployment } from '@davit/contracts';

export type CandidateChanges = {
  readonly templateHash?: string;
  readonly servedName?: string;
  readonly strategy?: 'surge' | 'evidence';
  readonly approval?: 'required' | 'none';
  readonly onQueueBreach?: 'pause' | 'raise' | 'rollback';
};

/** A serverless deployment whose revisions prove themselves, with changes. */
export function candidate(changes: CandidateChanges = {}): NormalisedDeployment {
  const evidence = {
    objectives: { latencyP95: '2s', errorRate: 0.01 },
    load: { requestsPerSecond: 8, prompts: 'qwen.jsonl', maxSpend: '3.00' },
    canary: { maxSpend: '2.00' },
    approval: changes.approval ?? 'required',
    onQueueBreach: changes.onQueueBreach ?? 'pause',
  };
  const strategy = changes.strategy ?? 'evidence';
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: changes.servedName ?? 'qwen' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'serverless', templateHash: changes.templateHash ?? 'a'.repeat(32) },
      rollout: { strategy, ...(strategy === 'evidence' ? evidence : {}) },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
}
