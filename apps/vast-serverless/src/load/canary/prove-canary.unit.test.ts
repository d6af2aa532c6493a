import { DEFAULT_CONTRACT_POLICY } from '@davit/domain';
import { describe, expect, test } from '@jest/globals';
import { chatAnswer, LoadRig, prompt, reply, SECRETS, TARGET } from '../testing/load-rig.js';
import { type CanaryQuestion, proveCanary } from './prove-canary.js';

const PROMPTS = [prompt('a'), prompt('b'), prompt('c')] as const;

const prove = (rig: LoadRig, more: Partial<CanaryQuestion> = {}) =>
  rig.drive(
    proveCanary(rig.parts, {
      ...{ target: TARGET, prompts: PROMPTS, requestDeadlineMs: 20_000, contract: DEFAULT_CONTRACT_POLICY },
      requestedAtMs: rig.clock.nowMs(),
      deadlineAtMs: rig.clock.nowMs() + 600_000,
      ...more,
    }),
  );

describe('a candidate on its own endpoint', () => {
  test('is proved by loading, answering, and answering as recorded', async () => {
    const rig = new LoadRig();
    const worker = rig.worker({ status: 'model_loading', loadedAt: 0 });
    rig.at(42_000, () => Object.assign(worker, { status: 'idle', loadedAt: rig.clock.nowMs() / 1_000 }));
    const result = await prove(rig);
    expect(result).toMatchObject({
      kind: 'proved',
      data: { loadMs: 45_000, readinessMs: 200, responseSchema: 'openai chat completion' },
    });
    if (result.kind !== 'proved') return;
    expect(result.data.outputs).toHaveLength(3);
    expect(result.data.outputs[0]?.by).toContain('similarity 1.00');
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify([result, rig.logged])).not.toContain(secret);
  });

  test.each<[string, string, (rig: LoadRig) => void]>([
    ['no worker ever comes', 'load', () => undefined],
    ['the model never loads', 'load', (rig) => void rig.worker({ status: 'model_loading', loadedAt: 0 })],
    ['the engine never tells', 'load', (rig) => void ((rig.listsWorkers = false), rig.worker())],
    ['its port is closed', 'readiness', (rig) => void rig.worker({ isListening: false })],
    ['signatures are not taken', 'readiness', (rig) => void rig.worker({ answer: () => rig.after(1, reply(401)) })],
    ['it says idle and fails', 'readiness', (rig) => void rig.worker({ answer: () => rig.after(1, reply(500)) })],
    [
      'no client can read it',
      'response-schema',
      (rig) => void rig.worker({ answer: () => rig.after(1, reply(200, { outputs: [] })) }),
    ],
    [
      'a field is gone',
      'response-schema',
      (rig) => void rig.worker({ answer: () => rig.after(1, reply(200, { ...chatAnswer(), usage: undefined })) }),
    ],
    [
      'another model answers',
      'outputs',
      (rig) => void rig.worker({ answer: () => rig.after(1, reply(200, { ...chatAnswer(), model: 'other' })) }),
    ],
    [
      'the words are others',
      'outputs',
      (rig) => void rig.worker({ answer: () => rig.after(1, reply(200, chatAnswer('nothing of all this'))) }),
    ],
  ])('fails when %s, at the step of %s', async (_, step, arrange) => {
    const rig = new LoadRig();
    arrange(rig);
    const startedMs = rig.clock.nowMs();
    const result = await prove(rig);
    expect(result).toMatchObject({ kind: 'failed', data: { step } });
    expect(rig.clock.nowMs() - startedMs).toBeLessThanOrEqual(621_000);
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify([result, rig.logged])).not.toContain(secret);
  });

  test('without enough recorded answers is not proved', async () => {
    const rig = new LoadRig();
    rig.worker();
    const result = await prove(rig, { prompts: [prompt('a'), prompt('b', null), prompt('c', null)] });
    expect(result).toMatchObject({ kind: 'failed', data: { step: 'outputs' } });
  });

  test('is given up at once when it is told so', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const startedMs = rig.clock.nowMs();
    rig.at(7_000, () => controller.abort());
    expect(await prove(rig, { signal: controller.signal })).toEqual({ kind: 'aborted' });
    expect(rig.clock.nowMs() - startedMs).toBeLessThanOrEqual(8_000);
  });
});
