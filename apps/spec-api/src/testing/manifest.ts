/** A right manifest, for tests that make it wrong or different. */
export const manifest = (spec: object = {}, metadata: object = {}): Record<string, unknown> => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: 'qwen3-8b', ...metadata },
  spec: {
    model: { id: 'Qwen/Qwen3-8B' },
    runtime: { engine: 'vllm' },
    compute: {
      mode: 'elastic',
      placements: [
        { cloud: 'runpod', accelerator: 'L40S:1' },
        { cloud: 'vast', accelerator: 'L40S:1' },
      ],
    },
    scaling: { replicas: 2 },
    ...spec,
  },
});
