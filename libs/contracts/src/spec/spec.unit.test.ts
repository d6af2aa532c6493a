import { describe, expect, it } from '@jest/globals';
import { parseDeployment } from './parse.js';

const manifest = () => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: 'qwen3-8b' },
  spec: {
    model: { id: 'Qwen/Qwen3-8B' },
    runtime: { engine: 'vllm' },
    compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
  },
});

describe('deployment specification', () => {
  it('writes out every default', () => {
    const parsed = parseDeployment(manifest());
    expect(parsed).toMatchObject({
      ok: true,
      deployment: { metadata: { tenant: 'default' }, spec: { scaling: { replicas: 1 }, budget: null } },
    });
  });
  it('tells where a mistake stands and what would be right', () => {
    const input = manifest();
    input.spec.compute.placements[0] = { cloud: 'vast', accelerator: 'L40:S1' };
    expect(parseDeployment(input)).toEqual({
      ok: false,
      problems: [
        expect.objectContaining({
          path: 'spec.compute.placements[0].accelerator',
          message: '"L40:S1" is not an accelerator and count',
        }),
      ],
    });
    console.log(
      JSON.stringify(
        [
          parseDeployment(input),
          parseDeployment({ ...manifest(), spec: { ...manifest().spec, foo: 1, scaling: { replicas: 10000 } } }),
          parseDeployment({ ...manifest(), apiVersion: 'davit.dev/v2' }),
          parseDeployment(null),
          parseDeployment({ ...manifest(), metadata: { name: '../x' } }),
          parseDeployment({ ...manifest(), spec: { ...manifest().spec, compute: { mode: 'x' } } }),
        ],
        null,
        1,
      ),
    );
  });
});
