import type { FieldProblem } from '../../problem.js';
import { parseDeployment } from '../parse.js';

/** Manifests as a user would send them, for tests: right unless the test makes them wrong. */
export function elastic(spec: object = {}): Record<string, unknown> {
  return manifest({
    compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
    ...spec,
  });
}

export function serverless(workers: object = {}, spec: object = {}): Record<string, unknown> {
  return manifest({ compute: { mode: 'serverless', templateHash: 'abc123', workers }, ...spec });
}

export function direct(endpoints: readonly string[], spec: object = {}): Record<string, unknown> {
  return manifest({ compute: { mode: 'direct', endpoints }, ...spec });
}

function manifest(spec: object): Record<string, unknown> {
  return {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen3-8b' },
    spec: { model: { id: 'Qwen/Qwen3-8B' }, runtime: { engine: 'vllm' }, ...spec },
  };
}

/** The mistakes in an input; none when it is right. */
export function problemsOf(input: unknown): readonly FieldProblem[] {
  const parsed = parseDeployment(input);
  return parsed.ok ? [] : parsed.problems;
}
