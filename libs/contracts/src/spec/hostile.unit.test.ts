import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalisedDeployment } from './deployment.js';
import { parseDeployment } from './parse.js';
import { direct, elastic, problemsOf } from './testing/manifests.js';

describe('hostile input', () => {
  test.each([null, undefined, 0, '', 'text', true, [], [[]], {}, Number.NaN])('%j is a list of mistakes', (input) => {
    expect(problemsOf(input).length).toBeGreaterThan(0);
  });

  test('names that mean something to the language are unknown keys and change no object', () => {
    const input: unknown = JSON.parse(
      JSON.stringify(elastic()).replace('"metadata":{', '"metadata":{"labels":{"__proto__":{"polluted":true}},'),
    );
    expect(problemsOf(input)).toEqual([
      expect.objectContaining({ path: 'metadata.labels.__proto__', message: 'is not a known key' }),
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])('an unknown key %s is told as any other', (key) => {
    expect(problemsOf(elastic({ [key]: 1 })).map(({ path }) => path)).toEqual([`spec.${key}`]);
  });

  test('nesting beyond all reason is refused without exhausting the stack', () => {
    const depth = 100_000;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(problemsOf(elastic({ args: deep }))[0]?.message).toMatch(/levels deep/);
  });

  test.each(['a\0b', '\u001b[31mred', 'half \ud800 a pair'])('text that no store takes is refused: %j', (arg) => {
    const problems = problemsOf(elastic({ runtime: { engine: 'vllm', args: [arg] } }));
    expect(problems[0]).toMatchObject({ path: 'spec.runtime.args[0]', message: 'holds characters that are not text' });
  });

  test('a long value is shown by its beginning', () => {
    const [problem] = problemsOf({ ...elastic(), metadata: { name: 'X'.repeat(1_000_000) } });
    expect(problem?.message.length).toBeLessThan(200);
  });

  test.each([
    ['a secret where its name belongs', elastic({ secrets: [{ name: 'canary-7f3a', from: { env: 'canary-7f3a' } }] })],
    ['a secret in an unknown key', elastic({ secrets: [{ name: 'A', from: { env: 'B' }, value: 'canary-7f3a' }] })],
    ['a password in an address', direct(['http://user:canary-7f3a@host:1'])],
    ['a password in a broken address', direct(['user:canary-7f3a@@host'])],
  ])('%s is refused without being repeated', (_what, input) => {
    const problems = problemsOf(input);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain('canary-7f3a');
  });
});

describe('any JSON', () => {
  test('parsing never throws, and problems are short and storable', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (input) => {
        for (const problem of problemsOf(input)) {
          expect(problem.path.length).toBeLessThan(1_000);
          expect(problem.message.length).toBeLessThan(500);
          expect(JSON.stringify(problem)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a manifest with one part replaced by any JSON is either refused or normal', () => {
    const parts = ['model', 'runtime', 'compute', 'scaling', 'readiness', 'rollout', 'budget', 'secrets'];
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.jsonValue({ maxDepth: 4 }), (part, value) => {
        const parsed = parseDeployment(elastic({ [part]: value }));
        if (parsed.ok) expect(normalisedDeployment.safeParse(parsed.deployment).success).toBe(true);
        else expect(parsed.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test('what a right manifest becomes is itself what the log accepts', () => {
    fc.assert(
      fc.property(
        fc.record({ replicas: fc.integer({ min: 0, max: 1_000 }) }),
        fc.stringMatching(/^\d{1,12}(\.\d{1,6})?$/),
        fc.array(fc.stringMatching(/^[a-zA-Z0-9 =.-]{0,40}$/), { maxLength: 5 }),
        (scaling, maxHourly, args) => {
          const own = args.some((arg) => /^--(served-model-name|host|port|api-key|revision)/.test(arg));
          const parsed = parseDeployment(
            elastic({ scaling, budget: { maxHourly }, runtime: { engine: 'vllm', args } }),
          );
          if (own) return;
          expect(parsed.ok && normalisedDeployment.safeParse(parsed.deployment).success).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
