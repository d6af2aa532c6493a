import { describe, expect, test } from '@jest/globals';
import { presentRate, recordBaseline } from '../baseline/record-baseline.js';
import { chatAnswer, type FakeWorker, LoadRig, prompt, reply, reset, SECRETS, TARGET } from '../testing/load-rig.js';
import { recordRoll } from './record-roll.js';

const CAPS = {
  maxRequests: 10_000,
  maxDurationMs: 3_600_000,
  maxSpend: { amount: '10', currency: 'USD' },
};
const OLD = 5;
const CANDIDATE = 6;

const steady = (rig: LoadRig) => ({
  ...{ target: TARGET, prompts: [prompt('a'), prompt('b')] as const, deadlineMs: 60_000, caps: CAPS },
  ...{ requestsPerSecond: 2, durationMs: 120_000, arrivals: 'even' as const },
  watch: {
    everyMs: 1_000,
    instancesMs: 0,
    revisionOf: (_: unknown, instance: { template_id?: number | null | undefined } | null | undefined) => {
      const worker = rig.workers.find(({ templateId }) => templateId === instance?.template_id);
      return worker === undefined ? null : worker.templateId === OLD ? ('old' as const) : ('candidate' as const);
    },
  },
});

/** One worker after another: no new requests, wait, reboot, back on the candidate. */
function roll(rig: LoadRig, worker: FakeWorker, atMs: number, drainMs: number): void {
  rig.at(atMs, () => (worker.status = 'update_ready'));
  rig.at(atMs + drainMs, () => Object.assign(worker, { status: 'update_rebooting', isListening: false }));
  rig.at(atMs + drainMs + 10_000, () =>
    Object.assign(worker, { status: 'idle', isListening: true, templateId: CANDIDATE }),
  );
}

describe('the record of a roll', () => {
  test('proves that workers answered what they held before they changed', async () => {
    const rig = new LoadRig();
    const workers = [rig.worker({ answer: () => rig.after(3_000, reply(200, chatAnswer())) }), rig.worker()];
    workers.forEach((worker, index) => roll(rig, worker, 20_000 + index * 30_000, 4_000));
    const { proof, requests } = await rig.drive(recordRoll(rig.parts, steady(rig)));
    expect(proof).toMatchObject({ verdict: 'proved', requests: 240, lost: [], unfinished: 0 });
    expect(proof.exchanges.old).toBeGreaterThan(40);
    expect(proof.exchanges.candidate).toBeGreaterThan(100);
    expect(requests.every(({ outcome }) => outcome === 'ok')).toBe(true);
    const last = requests.at(-1);
    expect(last?.workersRevision).toBe('candidate');
    expect(requests[0]?.workersRevision).toBe('old');
  });

  test('tells what a worker lost, although another served it', async () => {
    const rig = new LoadRig();
    const first = rig.worker();
    rig.worker();
    // It does not wait for what it holds.
    const cut = { isCut: false };
    first.answer = async () => {
      await rig.after(3_000, reset);
      return cut.isCut ? reset : reply(200, chatAnswer());
    };
    rig.at(20_000, () => (cut.isCut = true));
    roll(rig, first, 20_000, 0);
    rig.at(29_000, () => (cut.isCut = false));
    const { proof } = await rig.drive(recordRoll(rig.parts, steady(rig)));
    expect(proof.verdict).toBe('lost');
    expect(proof.lost.length).toBeGreaterThan(0);
    expect(proof.lost.every(({ attempt, servedElsewhere }) => attempt.workerId === '1' && servedElsewhere)).toBe(true);
  });

  test('of requests that were given up proves nothing', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => new Promise(() => undefined) });
    const caps = { ...CAPS, maxDurationMs: 5_000 };
    const { proof } = await rig.drive(recordRoll(rig.parts, { ...steady(rig), caps }));
    expect(proof.verdict).toBe('unknown');
  });
});

test('a baseline holds every request in the window in which it was due, with workers and spend', async () => {
  const rig = new LoadRig();
  rig.worker();
  const { windows, summaries, run } = await rig.drive(recordBaseline(rig.parts, { ...steady(rig), windowMs: 30_000 }));
  expect(windows.map(({ requests, ok }) => [requests, ok])).toEqual(Array.from({ length: 4 }, () => [60, 60]));
  expect(summaries.map(({ workers }) => workers)).toEqual(Array.from({ length: 4 }, () => ({ idle: 1 })));
  // 0.36 an hour for half a minute.
  expect(windows[0]?.spend).toEqual({ amount: '0.003000000', currency: 'USD' });
  const kept = JSON.stringify([windows, summaries, run, rig.logged]);
  for (const secret of Object.values(SECRETS)) expect(kept).not.toContain(secret);
});

test('the present rate of an endpoint follows from the load of its workers, and is unknown while one is silent', () => {
  expect(presentRate([{ cur_load: 100 }, { cur_load: 60 }], 16)).toBe(10);
  expect(presentRate([{ cur_load: 100 }, { cur_load: null }], 16)).toBeNull();
  expect(presentRate([{ cur_load: 100 }], 0)).toBeNull();
});
