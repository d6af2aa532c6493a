import type { RecordedEvent } from '@davit/contracts';
import type { RolloutState } from '@davit/domain';
import { describe, expect, test } from '@jest/globals';
import { OPEN_PHASES } from './definitions.js';
import { staysIn } from './meters.js';
import { rolloutModelMetrics } from './model.js';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const DIGEST = 'a'.repeat(64);
const rollout = (phase: object, since: number): RolloutState =>
  ({
    id: 'default/qwen-2-1',
    phase,
    since: at(since),
    version: 9,
    workers: {},
    formerly: [],
  }) as unknown as RolloutState; // no more is read
const event = (type: string, second: number, data: object = {}): RecordedEvent =>
  ({
    type,
    time: at(second),
    version: 10,
    data: { rolloutId: 'default/qwen-2-1', ...data },
  }) as unknown as RecordedEvent;

describe('the time that a rollout was in each phase', () => {
  test('is told when it leaves it', () => {
    const baselining = rollout({ name: 'baselining', recorded: DIGEST }, 10);
    const request = { required: true, evidenceDigest: DIGEST, deadlineAt: at(900) };
    expect(staysIn(baselining, [event('davit.rollout.approval-requested', 25, request)])).toEqual([
      { phase: 'baselining', seconds: 15 },
    ]);
  });

  test('is not told of what does not end a phase, nor of one that begins', () => {
    const observing = rollout({ name: 'observing', triggeredAt: at(10), notConverged: null }, 10);
    const worker = { workerId: 1, status: 'idle', on: 'old', templateId: 1, templateHash: 'b', loadedAt: null };
    expect(staysIn(observing, [event('davit.rollout.worker-observed', 12, { worker, evidence: 'instance' })])).toEqual(
      [],
    );
    expect(
      staysIn(undefined, [event('davit.rollout.refused', 12, { code: 'rollback-target-lost', detail: 'x' })]),
    ).toEqual([]);
  });
});

test('every phase has a count, and the age of the one that is longest in it', async () => {
  const documents = [
    rollout({ name: 'judging' }, 0),
    rollout({ name: 'judging' }, 30),
    rollout({ name: 'ramping' }, 50),
  ];
  const model = { list: () => Promise.resolve(documents.map((document) => ({ document }))) };
  const read = await rolloutModelMetrics.read(
    model as unknown as Parameters<typeof rolloutModelMetrics.read>[0], // it only lists
    Date.parse(at(60)),
  );
  const count = Object.fromEntries<unknown>(
    (read['davit_rollouts'] ?? []).map(({ labels, value }) => [labels['phase'] ?? '', value as unknown]),
  );
  expect(count).toEqual(
    Object.fromEntries(OPEN_PHASES.map((name) => [name, { judging: 2, ramping: 1 }[name as string] ?? 0])),
  );
  expect(read['davit_rollout_oldest_phase_age_seconds']).toEqual([
    { labels: { phase: 'ramping' }, value: 10 },
    { labels: { phase: 'judging' }, value: 60 },
  ]);
});
