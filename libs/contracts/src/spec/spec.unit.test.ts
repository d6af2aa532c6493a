import { describe, expect, test } from '@jest/globals';
import { parseDeployment } from './parse.js';
import { elastic, problemsOf, serverless, direct } from './testing/manifests.js';

describe('defaults', () => {
  test('minimum workers and cold workers are one bound, whichever of its names is written', () => {
    const coldOf = (workers: object): unknown => {
      const parsed = parseDeployment(serverless(workers));
      return parsed.ok && parsed.deployment.spec.compute.mode === 'serverless'
        ? parsed.deployment.spec.compute.workers.cold
        : parsed;
    };
    expect([{}, { min: 3 }, { cold: 2 }, { cold: 2, min: 2 }].map(coldOf)).toEqual([1, 3, 2, 2]);
  });

  test('a template that is written out has no hash yet, and every default', () => {
    const parsed = parseDeployment(
      serverless({}, { compute: { mode: 'serverless', template: { image: 'vllm/vllm-openai:v0.11.0' } } }),
    );
    expect(parsed.ok && parsed.deployment.spec.compute).toMatchObject({
      templateHash: null,
      template: {
        image: 'vllm/vllm-openai:v0.11.0',
        ...{ env: {}, ports: [], onStart: null, args: null, diskGiB: 64 },
      },
    });
  });

  test('every default is written out, and what is absent is null', () => {
    const parsed = parseDeployment(elastic());
    expect(parsed).toEqual({
      ok: true,
      deployment: {
        apiVersion: 'davit.dev/v1',
        kind: 'Deployment',
        metadata: { name: 'qwen3-8b', tenant: 'default', labels: {} },
        spec: {
          model: { id: 'Qwen/Qwen3-8B', revision: null, servedName: 'qwen3-8b' },
          runtime: { engine: 'vllm', version: null, image: null, args: [], port: 8_000 },
          compute: {
            mode: 'elastic',
            adapter: 'skypilot',
            objective: 'cost',
            placements: [
              {
                cloud: 'runpod',
                region: null,
                accelerator: { name: 'L40S', count: 1 },
                spot: false,
                maxHourlyPrice: null,
              },
            ],
            diskGiB: 100,
          },
          scaling: { replicas: 1 },
          readiness: {
            startDeadlineMs: 1_500_000,
            startDeadlineCapMs: 4_500_000,
            healthDeadlineMs: 90_000,
            maxFailedStarts: 5,
          },
          rollout: { strategy: 'surge', drainDeadlineMs: 30_000 },
          budget: null,
          secrets: [],
        },
      },
    });
  });

  test('zero replicas are not the same as none stated', () => {
    const zero = parseDeployment(elastic({ scaling: { replicas: 0 } }));
    expect(zero).toMatchObject({ ok: true, deployment: { spec: { scaling: { replicas: 0 } } } });
  });

  test('a direct deployment has as many replicas as endpoints unless it says otherwise', () => {
    expect(parseDeployment(direct(['http://a:1', 'http://b:1']))).toMatchObject({
      deployment: { spec: { scaling: { replicas: 2 } } },
    });
  });

  test('durations are read as milliseconds', () => {
    const parsed = parseDeployment(elastic({ readiness: { startDeadline: '1h30m', healthDeadline: '500ms' } }));
    expect(parsed).toMatchObject({
      deployment: { spec: { readiness: { startDeadlineMs: 5_400_000, healthDeadlineMs: 500 } } },
    });
  });
});

describe('mistakes are told where they stand, with what would be right', () => {
  test('an accelerator and count in the wrong order', () => {
    const [problem] = problemsOf(
      elastic({ compute: { mode: 'elastic', placements: [{ cloud: 'vast', accelerator: 'L40:S1' }] } }),
    );
    expect(problem).toEqual({
      path: 'spec.compute.placements[0].accelerator',
      message: '"L40:S1" is not an accelerator and count',
      remedy: expect.stringMatching(
        /^Write NAME or NAME:COUNT, for example "L40S:1"\. Near names known for vast: L40, L40S/,
      ),
    });
  });

  test.each([
    ['a misspelt key', elastic({ budjet: {} }), 'spec.budjet', 'is not a known key', 'Did you mean "budget"?'],
    [
      'a strange key',
      elastic({ zzzzzzzzz: 1 }),
      'spec.zzzzzzzzz',
      'is not a known key',
      'Remove it. Known here: model,',
    ],
    [
      'a misspelt key inside a union inside a list',
      elastic({ compute: { mode: 'elastic', placements: [{ cloud: 'runpod', acelerator: 'L4' }] } }),
      'spec.compute.placements[0].acelerator',
      'is not a known key',
      'Did you mean "accelerator"?',
    ],
    [
      'a misspelt value',
      elastic({ runtime: { engine: 'vlm' } }),
      'spec.runtime.engine',
      '"vlm" is not one of the accepted values',
      'Did you mean "vllm"?',
    ],
    ['a missing part', elastic({ model: {} }), 'spec.model.id', 'is missing', 'for example "Qwen/Qwen3-8B"'],
    [
      'an unknown mode',
      elastic({ compute: { mode: 'x' } }),
      'spec.compute.mode',
      '"x" is not one of',
      'elastic, serverless, direct',
    ],
    [
      'too many replicas',
      elastic({ scaling: { replicas: 10_000 } }),
      'spec.scaling.replicas',
      '10000 is more than 1000',
      'at most 1000',
    ],
    [
      'fewer than no replicas',
      elastic({ scaling: { replicas: -1 } }),
      'spec.scaling.replicas',
      '-1 is less than 0',
      'at least 0',
    ],
    [
      'half a replica',
      elastic({ scaling: { replicas: 0.5 } }),
      'spec.scaling.replicas',
      '0.5 is not a whole number',
      'Write a whole number.',
    ],
    [
      'a price as a number',
      elastic({ budget: { maxHourly: 4 } }),
      'spec.budget.maxHourly',
      '4 is not an amount',
      'for example "4.00"',
    ],
    [
      'a price beyond all prices',
      elastic({ budget: { maxHourly: '1234567890123' } }),
      'spec.budget.maxHourly',
      'is not an amount',
      'at most 12',
    ],
    [
      'no time at all',
      elastic({ readiness: { startDeadline: '0s' } }),
      'spec.readiness.startDeadline',
      'no time at all',
      'at least',
    ],
    [
      'a time beyond reason',
      elastic({ readiness: { startDeadline: '999999999h' } }),
      'spec.readiness.startDeadline',
      'longer than 30 days',
      '720h',
    ],
    [
      'a cap below what it caps',
      elastic({ readiness: { startDeadline: '30m', startDeadlineCap: '10m' } }),
      'spec.readiness.startDeadlineCap',
      'shorter than spec.readiness.startDeadline',
      'Raise the cap',
    ],
    [
      'more failed starts than anybody can want to pay for',
      elastic({ readiness: { maxFailedStarts: 101 } }),
      'spec.readiness.maxFailedStarts',
      '100',
      '100',
    ],
    [
      'no placement',
      elastic({ compute: { mode: 'elastic', placements: [] } }),
      'spec.compute.placements',
      'an empty list',
      'at least 1',
    ],
  ])('%s', (_what, input, path, message, remedy) => {
    const [problem] = problemsOf(input);
    expect(problem?.path).toBe(path);
    expect(problem?.message).toContain(message);
    expect(problem?.remedy).toContain(remedy);
  });

  test.each(['', '-a', 'a-', 'A', '1a', 'a_b', '../x', 'a b', 'ä', 'x'.repeat(51), "'; drop table"])(
    'the name %j is refused without a pattern in the message',
    (name) => {
      const problems = problemsOf({ ...elastic(), metadata: { name } });
      expect(problems.map(({ path }) => path)).toContain('metadata.name');
      expect(JSON.stringify(problems)).not.toMatch(/\[a-z\]|regex|Invalid input/);
    },
  );

  test('a schema of the future is told as such, not as a list of unknown keys', () => {
    expect(problemsOf({ ...elastic({ shiny: 1 }), apiVersion: 'davit.dev/v2' })).toEqual([
      {
        path: 'apiVersion',
        message: '"davit.dev/v2" is not a version this server knows',
        remedy: 'Write "davit.dev/v1", or upgrade Davit.',
      },
    ]);
  });

  test('all mistakes are told at once, up to a readable number', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, 1]));
    const problems = problemsOf(elastic(many));
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)?.message).toBe('and 450 more mistakes');
  });
});

describe('contradictions', () => {
  test.each([
    [
      'an argument that Davit sets',
      elastic({ runtime: { engine: 'vllm', args: ['--port=1'] } }),
      'spec.runtime.args[0]',
    ],
    [
      'the same placement twice, written in two ways',
      elastic({
        compute: {
          mode: 'elastic',
          placements: [
            { cloud: 'runpod', accelerator: 'L40S' },
            { cloud: 'runpod', accelerator: 'L40S:1' },
          ],
        },
      }),
      'spec.compute.placements[1]',
    ],
    [
      'more direct replicas than endpoints',
      direct(['http://a:1'], { scaling: { replicas: 2 } }),
      'spec.scaling.replicas',
    ],
    ['one endpoint for two replicas', direct(['http://a:1', 'http://a:1']), 'spec.compute.endpoints[1]'],
    ['replicas of a serverless endpoint', serverless({}, { scaling: { replicas: 2 } }), 'spec.scaling.replicas'],
    ['more cold workers than workers', serverless({ cold: 9, max: 2 }), 'spec.compute.workers.cold'],
    ['one worker to keep and none to spare', serverless({ max: 1 }), 'spec.compute.workers.max'],
    ['two floors of workers that differ', serverless({ cold: 1, min: 2 }), 'spec.compute.workers.min'],
    ['more minimum workers than workers', serverless({ min: 9, max: 2 }), 'spec.compute.workers.min'],
    ['workers that run nothing', serverless({}, { compute: { mode: 'serverless' } }), 'spec.compute.templateHash'],
    [
      'a template that is named and written',
      serverless({}, { compute: { mode: 'serverless', templateHash: 'abc', template: { image: 'a/b:1' } } }),
      'spec.compute.templateHash',
    ],
    [
      'a variable of a template that is a secret as well',
      serverless(
        {},
        {
          compute: { mode: 'serverless', template: { image: 'a/b:1', env: { HF_TOKEN: 'x' } } },
          secrets: [{ name: 'HF_TOKEN', from: { env: 'DAVIT_HF_TOKEN' } }],
        },
      ),
      'spec.compute.template.env.HF_TOKEN',
    ],
    ['an engine that does not say how to start', elastic({ runtime: { engine: 'openai' } }), 'spec.runtime.image'],
    [
      'one secret name twice',
      elastic({
        secrets: [
          { name: 'A', from: { env: 'X' } },
          { name: 'A', from: { env: 'Y' } },
        ],
      }),
      'spec.secrets[1].name',
    ],
    [
      'a reserved secret name',
      elastic({ secrets: [{ name: 'SKYPILOT_X', from: { env: 'X' } }] }),
      'spec.secrets[0].name',
    ],
    [
      'a secret name that steers programs',
      elastic({ secrets: [{ name: 'LD_PRELOAD', from: { env: 'X' } }] }),
      'spec.secrets[0].name',
    ],
    [
      'a credential of the control plane',
      direct(['http://a'], { secrets: [{ name: 'VLLM_API_KEY', from: { env: 'VAST_API_KEY' } }] }),
      'spec.secrets[0].from.env',
    ],
  ])('%s', (_what, input, path) => {
    expect(problemsOf(input).map((problem) => problem.path)).toEqual([path]);
  });

  test("a variable may have any other name, and a Vast endpoint may answer to Vast's own key", () => {
    const secret = (name: string, env: string) => ({ secrets: [{ name, from: { env } }] });
    expect(problemsOf(elastic(secret('HF_TOKEN', 'DAVIT_HF_TOKEN')))).toEqual([]);
    expect(problemsOf(serverless({}, secret('VLLM_API_KEY', 'VAST_API_KEY')))).toEqual([]);
  });
});
