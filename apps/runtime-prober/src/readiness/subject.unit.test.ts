import { type DeploymentSpec, parseDeployment } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ReplicaState } from '@davit/domain';
import { addressOfReplica, workerKey } from './subject.js';

const environment = { WORKER_KEY: 'its own', DATABASE_URL: 'canary' };

function specNaming(variable: string): DeploymentSpec {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'direct', endpoints: ['http://10.0.0.1:8000'] },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { ...parsed.deployment.spec, secrets: [{ name: 'VLLM_API_KEY', from: { env: variable } }] };
}

describe('the worker key of a server', () => {
  it('is what the specification refers to', () => {
    expect(workerKey(specNaming('WORKER_KEY'), environment)).toEqual({ value: 'its own', trouble: null });
  });

  it('law-13: is never a credential of the control plane, even if a log of an older release names one', () => {
    const { value, trouble } = workerKey(specNaming('DATABASE_URL'), environment);
    expect(value).toBeUndefined();
    expect(trouble).toMatch(/DATABASE_URL, which belongs to the control plane/);
  });

  it('is nothing, and that is said, when the variable is not set', () => {
    const { value, trouble } = workerKey(specNaming('OTHER'), environment);
    expect(value).toBeUndefined();
    expect(trouble).toMatch(/OTHER is not set/);
  });
});

describe('the address of a replica', () => {
  const seen = (everReady: boolean, phase: 'provisioning' | 'up'): ReplicaState =>
    ({
      everReady,
      resource: { phase, url: null },
      runtime: { url: 'http://10.0.0.1:8000' },
    }) as unknown as ReplicaState; // only what is read

  it('stays what it was for a replica that has served, so that the route is judged by probes', () => {
    expect(addressOfReplica(seen(true, 'provisioning'))).toBe('http://10.0.0.1:8000');
  });

  it('is none for a replica that starts anew', () => {
    expect(addressOfReplica(seen(false, 'provisioning'))).toBeNull();
  });
});
