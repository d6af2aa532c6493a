import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { InstanceRow } from '../api/instances.js';
import type { JoinedWorker } from '../joined.js';
import { type Capabilities, learn, UNLEARNT } from './capabilities.js';
import { onCandidate, type ProbedIdentity } from './on-candidate.js';

const CANDIDATE = { id: 2, hash: 'new-hash', image: 'vllm:2', imageIsNew: true };
const TRIGGER = 1_000_000;
const STALE: Capabilities = { templateIdMoves: false, templateHashMoves: false, imageMoves: null };

const instance = (changes: Partial<InstanceRow> = {}): InstanceRow => ({
  id: 7,
  label: null,
  actual_status: 'running',
  intended_status: 'running',
  template_id: 2,
  template_hash_id: 'new-hash',
  image_uuid: 'vllm:2',
  start_date: null,
  gpu_name: null,
  num_gpus: null,
  dph_total: null,
  public_ipaddr: null,
  ports: null,
  ...changes,
});
const OLD = { template_id: 1, template_hash_id: 'old-hash', image_uuid: 'vllm:1' };
const NULLS = { template_id: null, template_hash_id: null };

const worker = (changes: Partial<JoinedWorker> = {}): JoinedWorker => ({
  id: 7,
  status: 'idle',
  loadedAtMs: TRIGGER + 1,
  measuredPerf: 10,
  requestsWorking: 0,
  instance: undefined,
  ...changes,
});

const before = { loadedAtMs: TRIGGER - 1 };

describe('whether a worker runs the candidate', () => {
  test.each<
    [
      string,
      Partial<JoinedWorker>,
      InstanceRow | null | undefined,
      'yes' | 'no' | 'unknown',
      Capabilities?,
      ProbedIdentity?,
    ]
  >([
    ['both identities, loaded since, ready', {}, instance(), 'yes'],
    ['the same, asleep', { status: 'stopped' }, instance(), 'yes'],
    ['the same, still starting', { status: 'update_starting' }, instance(), 'unknown'],
    ['a state that nobody documented', { status: 'running' }, instance(), 'unknown'],
    ['identities of the candidate that were written before it loaded', before, instance(), 'unknown'],
    ['no word of when it loaded', { loadedAtMs: null }, instance(), 'unknown'],
    ['ready again on the old template, without having loaded', before, instance(OLD), 'no'],
    ['the old template, loaded since, and nobody knows whether the field moves', {}, instance(OLD), 'unknown'],
    ['the same where it is known to move', {}, instance(OLD), 'no', { ...UNLEARNT, templateHashMoves: true }],
    ['an id of the candidate with the hash of another edit', {}, instance({ template_hash_id: 'x' }), 'unknown'],
    ['the same before it loaded', before, instance({ template_hash_id: 'x' }), 'no'],
    ['one identity alone', {}, instance({ template_id: null }), 'unknown'],
    ['one identity, where the other is known not to move', {}, instance(OLD), 'unknown', STALE],
    ['stale fields, and its own answer', {}, instance({ ...OLD, image_uuid: 'vllm:2' }), 'yes', STALE, 'candidate'],
    ['stale fields, its own answer, and an image of the old', {}, instance(OLD), 'unknown', STALE, 'candidate'],
    ['no fields, its image alone', {}, instance(NULLS), 'unknown'],
    ['no fields, its image and its own answer', {}, instance(NULLS), 'yes', UNLEARNT, 'candidate'],
    ['no fields, and not loaded since', before, instance(NULLS), 'no'],
    ['everything new but its own answer', {}, instance(), 'no', UNLEARNT, 'old'],
    ['instances that cannot be read', {}, undefined, 'unknown'],
    ['no instance of its id', {}, null, 'unknown'],
  ])('%s', (...row) => {
    const [, changes, record, verdict, learnt, probed] = row;
    const judged = onCandidate(worker(changes), record, CANDIDATE, TRIGGER, learnt, probed);
    expect(judged.verdict).toBe(verdict);
    expect(judged.evidence.length).toBeGreaterThan(3);
  });

  test('is never yes without a load after the trigger, at rest, and against any word of the old', () => {
    const field = <Value>(...values: readonly Value[]) => fc.constantFrom(...values, null);
    const flag = fc.constantFrom(true, false, null);
    fc.assert(
      fc.property(
        fc.record({
          template_id: field(1, 2),
          template_hash_id: field('old-hash', 'new-hash'),
          image_uuid: field('vllm:1', 'vllm:2'),
        }),
        fc.constantFrom('idle', 'stopped', 'loading', 'update_ready', 'error', 'running', 'unknown'),
        fc.constantFrom(TRIGGER - 1, TRIGGER, TRIGGER + 1, null),
        fc.record({ templateIdMoves: flag, templateHashMoves: flag, imageMoves: flag }),
        fc.constantFrom<ProbedIdentity[]>('candidate', 'old', undefined),
        (record, status, loadedAtMs, learnt, probed) => {
          const judged = onCandidate(
            worker({ status, loadedAtMs }),
            instance(record),
            CANDIDATE,
            TRIGGER,
            learnt,
            probed,
          );
          if (judged.verdict !== 'yes') return;
          expect(loadedAtMs).toBeGreaterThan(TRIGGER);
          expect(['idle', 'stopped']).toContain(status);
          expect(probed).not.toBe('old');
          if (record.template_hash_id === 'old-hash') expect(learnt.templateHashMoves).toBe(false);
          if (record.template_id === 1) expect(learnt.templateIdMoves).toBe(false);
        },
      ),
    );
  });
});

describe('what proven updates teach', () => {
  const to = { id: 2, hash: 'new-hash', image: 'vllm:2' };

  test('fields that came to be the new ones move; those that stayed, or are not told, do not', () => {
    const after = instance({ template_hash_id: 'old-hash', image_uuid: null });
    expect(learn(UNLEARNT, [{ before: instance(OLD), after }], to)).toEqual({
      templateIdMoves: true,
      templateHashMoves: false,
      imageMoves: false,
    });
  });

  test('nothing is learnt where nothing could be seen to move, and what was known stays', () => {
    expect(learn(UNLEARNT, [], to)).toEqual(UNLEARNT);
    expect(learn(STALE, [{ before: instance(), after: instance() }], to)).toEqual(STALE);
  });
});
