import { beforeEach, describe, expect, it, test } from '@jest/globals';
import { stream } from '@davit/contracts';
import { onQueueBreach } from './breach.js';
import { ROLLOUT, REPLICA, KEY, RolloutStage } from './testing/stage.js';
import { candidate } from './testing/candidate.js';
import { declare } from '../deployment/declare.js';

const HOUR_MS = 3_600_000;
const NEW_TEMPLATE = { templateHash: 'b'.repeat(32) };

describe('a rollout on evidence', () => {
  let stage: RolloutStage;
  const progressing = () => stage.deployment(KEY).conditions['Progressing'];
  beforeEach(() => {
    stage = new RolloutStage().serving().declare(NEW_TEMPLATE).settle();
  });

  it('asks for no replica of the new revision, and tells that it is to prove itself', () => {
    expect(stage.of('davit.replica.requested')).toHaveLength(1);
    expect(progressing()).toMatchObject({ status: 'true', reason: 'RolloutPending' });
  });

  it('proves, bounds, loads, removes the canary, and then waits for a word before it touches production', () => {
    stage.until('awaiting-approval');
    expect(stage.namesOf('rollout')).toEqual([
      ...['started', 'template-attempted', 'template-recorded', 'canary-requested', 'candidate-proved'],
      ...['bounds-set', 'bounds-applied'],
      ...['load-attempted', 'load-profile-run', 'load-attempted', 'load-profile-run'],
      ...['load-attempted', 'load-profile-run', 'canary-removal-requested', 'canary-removed'],
      ...['baseline-recorded', 'approval-requested'],
    ]);
    expect(stage.next()).toMatchObject({ kind: 'wait', reason: `waits for approval: davit approve ${ROLLOUT}` });
    expect(stage.word('approved', 'f'.repeat(64)).next().kind).toBe('wait');
    expect(stage.word('approved').next()).toMatchObject({ kind: 'perform', step: { do: 'update', attempt: 1 } });
  });

  it('begins nothing while its deployment is paused: no rollout, no canary, no change of production', () => {
    const INTENT = '00000000-0000-7000-8000-00000000aaac';
    const order = { paused: { intentId: INTENT, reason: 'hands off' }, resumed: { intentId: INTENT } };
    const pause = () => stage.given(stream.deployment(KEY), 'davit.deployment.paused', order.paused).settle();
    const resume = () => stage.given(stream.deployment(KEY), 'davit.deployment.resumed', order.resumed).settle();
    const waiting = { kind: 'wait', reason: `${KEY} is paused (hands off): davit resume ${KEY}` };
    pause().step().step();
    expect(stage.state).toBeUndefined();
    resume().step();
    pause();
    expect(stage.next()).toMatchObject(waiting);
    resume().until('awaiting-approval').word('approved');
    pause();
    expect(stage.next()).toMatchObject(waiting);
    resume().until('over');
    expect(stage.state?.phase).toEqual({ name: 'over', outcome: 'accepted' });
  });

  it('ends what it began while its deployment is paused: a change of production is judged and taken back', () => {
    stage.until('awaiting-approval').word('approved').until('judging');
    stage.given(stream.deployment(KEY), 'davit.deployment.paused', {
      intentId: '00000000-0000-7000-8000-00000000aaac',
      reason: 'x',
    });
    stage.step('bad').until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rolled-back', reason: 'verdict-reject' });
  });

  it('carries the replica over to the new revision once accepted, and activates it without another replica', () => {
    stage.until('awaiting-approval').word('approved').until('over');
    expect(stage.state?.phase).toEqual({ name: 'over', outcome: 'accepted' });
    expect(stage.replica(REPLICA)).toMatchObject({ revision: 2, status: 'ready' });
    expect(stage.deployment(KEY)).toMatchObject({ activeRevision: 2 });
    expect(progressing()).toMatchObject({ status: 'false', reason: 'Converged' });
    expect(stage.of('davit.replica.requested')).toHaveLength(1);
  });

  it('needs no word where the declaration is the approval, and cites the declaration', () => {
    stage = new RolloutStage()
      .serving()
      .declare({ ...NEW_TEMPLATE, approval: 'none' })
      .settle()
      .until('over');
    const declared = stage.of('davit.deployment.declared').at(-1);
    expect(stage.of('davit.rollout.update-attempted')[0]?.data.approval).toMatchObject({
      by: 'declaration',
      eventId: declared?.id,
    });
  });

  it('does not begin without a template to go back to, says so, and begins again only when asked', () => {
    stage.step('good', { ok: false, code: 'rollback-target-unverified', detail: 'template 7 was edited' });
    expect(stage.state?.phase).toMatchObject({ name: 'over', outcome: 'refused', code: 'rollback-target-unverified' });
    expect(progressing()).toMatchObject({ status: 'false', reason: 'CandidateRejected' });
    const before = stage.events.length;
    stage.step().later(HOUR_MS).step();
    expect(stage.events).toHaveLength(before);
    stage.given(stream.deployment(KEY), 'davit.deployment.retry-requested', {
      intentId: '00000000-0000-7000-8000-00000000aaab',
    });
    stage.step();
    expect(stage.state).toMatchObject({ id: `${KEY}-2-2`, phase: { name: 'proving' } });
  });

  it('leaves production untouched when the canary cannot be launched, and proves the canary gone', () => {
    stage.step().step().step().step('bad');
    stage.until('over');
    expect(stage.namesOf('rollout').slice(-5)).toEqual([
      ...['candidate-failed', 'withdrawn', 'canary-removal-requested', 'canary-removed', 'rejected'],
    ]);
    expect(stage.of('davit.rollout.update-attempted')).toEqual([]);
    expect(progressing()).toMatchObject({ status: 'false', reason: 'CandidateRejected' });
    expect(stage.replica(REPLICA)).toMatchObject({ revision: 1, status: 'ready' });
  });

  it.each(['good', 'bad'] as const)('looks for an update whose answer was lost, and never repeats it (%s)', (fate) => {
    stage.until('awaiting-approval').word('approved').step('crash');
    expect(stage.next()).toMatchObject({ step: { do: 'resolve-update', attempt: 1 } });
    stage.step('unknown').step(fate).until('over');
    expect(stage.of('davit.rollout.update-attempted')).toHaveLength(1);
    expect(stage.state?.phase).toMatchObject({ outcome: fate === 'good' ? 'accepted' : 'rolled-back' });
  });

  it('rolls back what does not converge in time, after its logs were kept, and says so', () => {
    stage.until('awaiting-approval').word('approved').until('observing').step('bad');
    stage.later(HOUR_MS).until('over');
    expect(stage.namesOf('rollout').slice(-5)).toEqual([
      ...['not-converged', 'rollback-attempted', 'rollback-triggered', 'rollback-observed', 'rolled-back'],
    ]);
    expect(progressing()).toMatchObject({ status: 'false', reason: 'RolloutRolledBack' });
    expect(stage.replica(REPLICA)).toMatchObject({ revision: 1, status: 'ready' });
    const before = stage.events.length;
    stage.step().later(HOUR_MS).step();
    expect(stage.events).toHaveLength(before);
  });

  it('rolls back on a verdict of reject, and on none in time', () => {
    stage.until('awaiting-approval').word('approved').until('judging').step('bad').until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rolled-back', reason: 'verdict-reject' });
    const late = new RolloutStage().serving().declare(NEW_TEMPLATE).settle();
    late.until('awaiting-approval').word('approved').until('judging').step('unknown').later(HOUR_MS).until('over');
    expect(late.state?.phase).toMatchObject({ outcome: 'rolled-back', reason: 'no-verdict' });
  });

  it('accepts nothing while a worker is not proven to be on the candidate', () => {
    stage.until('awaiting-approval').word('approved').until('judging');
    const stray = { workerId: 3, status: 'idle', templateId: null, templateHash: null, loadedAt: null };
    stage.given(stream.rollout(ROLLOUT), 'davit.rollout.worker-observed', {
      ...{ rolloutId: ROLLOUT, worker: { ...stray, on: 'unknown' }, evidence: 'none', inFlight: null },
    });
    stage.step('good');
    expect(stage.state?.phase).toMatchObject({ name: 'judging', verdict: { verdict: 'accept' } });
    expect(stage.next()).toMatchObject({ step: { do: 'observe-workers' } });
    stage.given(stream.rollout(ROLLOUT), 'davit.rollout.worker-gone', { rolloutId: ROLLOUT, workerId: 3 });
    expect(stage.next()).toMatchObject({ kind: 'append', events: [{ type: 'davit.rollout.accepted' }] });
  });

  it('ends by the way back when an operator aborts it after production changed, and by withdrawal before', () => {
    stage.until('awaiting-approval').word('aborted').until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rejected', reason: 'operator-aborted' });
    const late = new RolloutStage().serving().declare(NEW_TEMPLATE).settle();
    late.until('awaiting-approval').word('approved').until('observing').word('aborted').until('over');
    expect(late.state?.phase).toMatchObject({ outcome: 'rolled-back', reason: 'operator-aborted' });
  });

  it('is rejected when nobody approves it in time, or an operator says no', () => {
    stage
      .until('awaiting-approval')
      .later(24 * HOUR_MS)
      .until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rejected', reason: 'not-approved' });
    const no = new RolloutStage().serving().declare(NEW_TEMPLATE).settle();
    no.until('awaiting-approval').word('rejected').until('over');
    expect(no.state?.phase).toMatchObject({ outcome: 'rejected', reason: 'operator-rejected' });
  });

  it('spends nothing over a budget on what serves nobody: the canary goes, and production stays', () => {
    const message = '5.00 of 4.00 USD an hour';
    stage.until('ramping').given(stream.deployment(KEY), 'davit.deployment.condition-changed', {
      ...{ condition: 'WithinBudget', status: 'false', reason: 'HourlyExceeded', message, generation: 2 },
    });
    stage.until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rejected', reason: 'canary-spend', detail: message });
    expect(stage.of('davit.rollout.canary-removed')).toHaveLength(1);
    expect(stage.deployment(KEY).activeRevision).toBe(1);
  });

  it('gives way to a newer revision before production is touched, which then begins', () => {
    stage
      .until('ramping')
      .declare({ templateHash: 'c'.repeat(32) })
      .settle()
      .until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rejected', reason: 'superseded' });
    stage.step();
    expect(stage.state).toMatchObject({ id: `${KEY}-3-1`, phase: { name: 'proving' } });
  });

  it('lets a newer revision wait once production is being changed', () => {
    stage.until('awaiting-approval').word('approved').until('observing');
    stage.declare({ templateHash: 'c'.repeat(32) }).settle();
    expect(progressing()).toMatchObject({ reason: 'RolloutPending', message: expect.stringContaining(ROLLOUT) });
    stage.until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'accepted' });
    expect(stage.deployment(KEY)).toMatchObject({ activeRevision: 2, revision: 3 });
    expect(stage.of('davit.replica.requested')).toHaveLength(1);
    stage.step();
    expect(stage.state).toMatchObject({ id: `${KEY}-3-1`, fromRevision: 2, replicaId: REPLICA });
  });

  it('goes back when what served before is declared again while production changes', () => {
    stage.until('awaiting-approval').word('approved').until('observing');
    stage.declare().settle().until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rolled-back', reason: 'superseded' });
    expect(stage.of('davit.replica.requested')).toHaveLength(1);
  });

  test.each(['proving', 'ramping', 'observing'] as const)(
    'ends with its canary gone when the deployment is deleted while %s',
    (phase) => {
      if (phase === 'observing') stage.until('awaiting-approval').word('approved');
      stage.until(phase);
      if (phase === 'proving') stage.step().step();
      stage.remove().settle().until('over');
      expect(stage.state).toMatchObject({
        phase: { outcome: 'rejected', reason: 'deployment-deleted' },
        canary: { removed: true },
      });
    },
  );

  it('refuses a change of the served name or of the hardware: only what a template holds is rolled out', () => {
    const outcome = declare(stage.deployment(KEY), candidate({ servedName: 'other' }), ROLLOUT);
    expect(outcome).toMatchObject({
      outcome: 'refused',
      code: 'not-a-template-change',
      detail: expect.stringMatching(/spec.model.servedName changes from "qwen" to "other"/),
    });
  });

  it('pauses on a breach of the queue, raises where asked to, and goes back when patience ends', () => {
    const affordable = {
      ...{ minLoad: 1, coldWorkers: 1, maxWorkers: 6, inactivityTimeoutS: 600, targetQueueTimeS: 5 },
      ...{ maxQueueTimeS: 30, targetUtil: 0.9, coldMult: 2, minColdLoad: 0 },
    };
    stage = new RolloutStage()
      .serving()
      .declare({ ...NEW_TEMPLATE, onQueueBreach: 'raise' })
      .settle();
    stage.until('awaiting-approval').word('approved').until('observing');
    const breach = () => {
      if (!stage.state) throw new Error('no rollout');
      return onQueueBreach(stage.state, { detail: 'p95 40 s', affordable, nowMs: stage.nowMs });
    };
    const paused = breach();
    if (!paused) throw new Error('nothing follows the breach');
    stage.append(stream.rollout(ROLLOUT), paused);
    expect(breach()).toBeUndefined();
    expect(stage.next()).toMatchObject({ step: { do: 'apply-bounds', to: 'production', bounds: affordable } });
    expect(stage.step().next()).toMatchObject({ step: { do: 'observe-workers' } });
    stage.later(HOUR_MS).until('over');
    expect(stage.state?.phase).toMatchObject({ outcome: 'rolled-back', reason: 'queue-breach' });
  });
});
