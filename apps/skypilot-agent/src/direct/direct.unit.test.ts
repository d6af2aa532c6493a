import { describe, expect, test } from '@jest/globals';
import { parseDeployment } from '@davit/contracts';
import { backendIdentityConformance, type LaunchOrder } from '@davit/provider-kit';
import { hints } from '../testing/hints.js';
import { directBackend } from './backend.js';

backendIdentityConformance({ describe, test }, 'direct', () => directBackend);

function order(ordinal: number): LaunchOrder {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'own' },
    spec: {
      model: { id: 'a/b' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'direct', endpoints: ['http://10.0.0.1:8000/', 'http://10.0.0.2:8000'] },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return {
    externalKey: 'dv-x',
    replicaId: 'default/own-1-0-1',
    ordinal,
    deployment: parsed.deployment,
    placement: null,
    holdsLease: () => Promise.resolve(true),
  };
}

describe('an endpoint that already runs', () => {
  test('replica n adopts endpoint n', async () => {
    expect((await directBackend.discover('dv-x', order(1))).outcome).toBe('present');
    expect((await directBackend.ensure(order(1))).outcome).toBe('accepted');
    expect(await directBackend.observe('dv-x', hints(order(0)))).toMatchObject({
      phase: 'up',
      url: 'http://10.0.0.1:8000',
    });
    expect(await directBackend.observe('dv-x', hints(order(1)))).toMatchObject({
      phase: 'up',
      url: 'http://10.0.0.2:8000',
    });
  });

  test('a replica without an endpoint is refused, by the name of the field', async () => {
    expect((await directBackend.discover('dv-x', order(2))).outcome).toBe('absent');
    expect(await directBackend.ensure(order(2))).toMatchObject({
      outcome: 'refused',
      class: 'config',
      detail: expect.stringContaining('spec.compute.endpoints'),
    });
    expect((await directBackend.observe('dv-x', hints(order(2)))).outcome).toBe('absent');
  });

  test('it is let go, not deleted', () => expect(directBackend.releases).toBe(true));
});
