import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { externalKeyOf } from '@davit/domain';
import fc from 'fast-check';
import { parse } from 'yaml';
import { elasticSpec, WorldRig } from '../testing/world-rig.js';
import { imageOf, serverCommand, shellQuote } from './engines.js';
import { skyUserIdOf } from './settings.js';
import { taskYaml } from './task.js';

const order = new WorldRig().order();

describe('the task of a replica', () => {
  test('asks for one shape in one place, and takes secrets by name', () => {
    const spec = elasticSpec({
      runtime: { args: ['--max-model-len', '8192', '--chat-template', "it's {{ here }}"] },
    });
    const task = taskYaml({
      ...order,
      deployment: spec,
      placement: {
        cloud: 'kubernetes',
        region: 'ctx-1',
        accelerator: { name: 'A100-80GB', count: 2 },
        spot: true,
        maxHourlyPrice: null,
      },
    });
    expect(task.ok && parse(task.yaml)).toEqual({
      name: order.externalKey,
      num_nodes: 1,
      resources: {
        infra: 'k8s/ctx-1',
        accelerators: 'A100-80GB:2',
        disk_size: 100,
        image_id: 'docker:vllm/vllm-openai:v0.11.0',
        ports: 8000,
        use_spot: true,
      },
      secrets: { HF_TOKEN: null },
      run:
        'vllm serve Qwen/Qwen3-8B --host 0.0.0.0 --port 8000 --served-model-name qwen ' +
        "--max-model-len 8192 --chat-template 'it'\\''s {{ here }}'\n",
    });
  });

  test('installs a pinned engine where there is to be no image, in an environment of its own', () => {
    const spec = elasticSpec({ runtime: { image: 'none', version: 'v0.12.1' } });
    const task = taskYaml({ ...order, deployment: spec });
    const written = task.ok ? (parse(task.yaml) as Record<string, unknown>) : {};
    expect(written['resources']).not.toHaveProperty('image_id');
    expect(written).toMatchObject({
      setup: 'python3 -m venv "$HOME/davit-engine"\n"$HOME/davit-engine"/bin/pip install --no-input vllm==0.12.1\n',
      run: expect.stringMatching(/^\. "\$HOME\/davit-engine"\/bin\/activate\nvllm serve /),
    });
  });

  test.each(['tgi', 'llamacpp', 'openai'] as const)('%s cannot be installed, and says so', (engine) => {
    const spec = elasticSpec({ runtime: { engine, image: 'none', args: ['serve'], version: undefined } });
    expect(taskYaml({ ...order, deployment: spec })).toMatchObject({
      ok: false,
      detail: expect.stringContaining(engine),
    });
  });

  test('a machine without an image comes up as one with an image does', async () => {
    const rig = new WorldRig();
    const wanted = rig.order(elasticSpec({ runtime: { image: 'none' } }));
    expect((await rig.backend.ensure(wanted)).outcome).toBe('accepted');
    await rig.clock.advance(20_000);
    expect(rig.world.cloud.running()).toMatchObject([{ image: null, server: expect.anything() }]);
  });

  test('names of a hundred thousand replicas fit every cloud, and no two of them meet on one', () => {
    const rig = new WorldRig();
    const names = new Set<string>();
    for (let incarnation = 1; incarnation <= 100_000; incarnation += 1) {
      const identity = { deployment: 'default/qwen', revision: 1, ordinal: incarnation % 7, incarnation };
      const { name } = rig.backend.identify(externalKeyOf(identity, 'test'));
      if (incarnation <= 1_000) expect(name).toMatch(/^[a-z][a-z0-9-]{0,33}[a-z0-9]$/);
      names.add(name);
    }
    expect(names.size).toBe(100_000);
  });

  test("each installation is a user of its own to SkyPilot, in SkyPilot's form, and always the same", () => {
    const ids = ['one', 'two', 'One', 'one '].map(skyUserIdOf);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
    expect(skyUserIdOf('one')).toBe(ids[0]);
  });

  test('names the revision of the model when there is one', () => {
    const spec = elasticSpec({ spec: { model: { id: 'a/b', servedName: 'm', revision: 'abc123' } } });
    expect(serverCommand(spec.spec)?.join(' ')).toContain('--revision abc123');
  });

  test('without a placement nothing can be asked for', () => {
    expect(taskYaml({ ...order, placement: null })).toMatchObject({ ok: false });
  });

  test('an engine of which nothing is known needs image and command', () => {
    const spec = elasticSpec({ runtime: { engine: 'openai', image: 'me/server:1', version: undefined } });
    expect(taskYaml({ ...order, deployment: spec })).toMatchObject({ ok: false });
    const full = elasticSpec({ runtime: { engine: 'openai', image: 'me/server:1', args: ['serve', '--all'] } });
    expect(taskYaml({ ...order, deployment: full })).toMatchObject({ ok: true });
  });

  test.each([
    ['vllm', null, 'vllm/vllm-openai:v0.11.0'],
    ['vllm', 'v0.12.1', 'vllm/vllm-openai:v0.12.1'],
    ['sglang', '0.5.4', 'lmsysorg/sglang:v0.5.4'],
    ['tgi', '3.3.5', 'ghcr.io/huggingface/text-generation-inference:3.3.5'],
    ['llamacpp', null, 'ghcr.io/ggml-org/llama.cpp:server-cuda'],
    ['openai', null, undefined],
  ] as const)('%s %s runs in %s', (engine, version, image) =>
    expect(imageOf({ engine, version, image: null, args: [], port: 8000 })).toBe(image),
  );
});

describe('quoting', () => {
  test('a shell reads every word back unchanged', () => {
    const word = fc.string({ minLength: 1, unit: 'grapheme-ascii' });
    const words = fc.sample(fc.array(word, { minLength: 1, maxLength: 6 }), { numRuns: 40, seed: 5 });
    for (const sample of words) {
      const script = `printf '%s\\0' ${sample.map(shellQuote).join(' ')}`;
      expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(sample);
    }
  });
});
