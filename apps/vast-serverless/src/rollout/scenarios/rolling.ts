import { strict as assert } from 'node:assert';
import type { RecordedEvent } from '@davit/contracts';
import type { RolloutRig } from '../testing/rollout-rig.js';
import { assertServes, dataOf, endsAccepted, endsRolledBack } from './expect.js';
import type { Scenario } from './scenario.js';

/** The candidate has proved itself, an operator has said yes, and workers begin to move. */
async function rolled(rig: RolloutRig): Promise<void> {
  await rig.candidate();
  await rig.approve();
}

/** Workers take long to load the candidate, so that production has fewer of them meanwhile. */
async function movingSlowly(rig: RolloutRig): Promise<() => void> {
  await rig.candidate();
  await rig.until('davit.rollout.approval-requested');
  const end = rig.world.vast.arm({ kind: 'slow-load', factor: 15, on: { template: rig.candidateHash } });
  await rig.approve();
  await rig.until('davit.rollout.update-triggered');
  return end;
}

/** Only waits are promised; nothing else is so bad that it ends the rollout. */
const QUEUES = {
  objectives: { queueTimeP95: '1s' },
  acceptance: {
    ...{ alpha: 0.2, beta: 0.05, minimumSamples: 150, deadline: '3m', convergeDeadline: '2m' },
    tolerated: { latency: 10, errorRate: 0.3 },
  },
};

/** Workers take requests only now and then; ends when told to. */
function queueing({ world, stage }: RolloutRig): () => void {
  let isOver = false;
  let end = (): void => undefined;
  const busy = (): void => {
    if (isOver) return;
    end = world.vast.arm({ kind: 'worker-busy' });
    stage.clock.schedule(3_000, () => {
      end();
      stage.clock.schedule(500, busy);
    });
  };
  busy();
  return () => {
    isOver = true;
    end();
  };
}

const LOST = new Set([null, 499, 500]);

/** What production may come to once it changes. */
export const ROLLING_SCENARIOS: readonly Scenario[] = [
  {
    title: 'a clean rollout takes those that sleep first, drains those that serve, loses no request, and stays',
    wish: { workers: { cold: 3, minLoad: 400, max: 4, inactivityTimeout: '1s' } },
    async play(rig) {
      await rig.candidate();
      await rig.until('davit.rollout.approval-requested');
      const before = rig.world.vast.truth().workers;
      const asleep = before.filter(({ status }) => status === 'stopped').map(({ id }) => id);
      const answered = rig.witness.workerAnswers.length;
      await rig.approve();
      await endsAccepted(rig);
      const moves = await dataOf(rig, 'davit.rollout.worker-observed');
      const order = [
        ...new Set(moves.filter(({ worker }) => worker.on === 'candidate').map(({ worker }) => worker.workerId)),
      ];
      assert.ok(asleep.length > 0, 'nobody slept');
      assert.ok(asleep.includes(order[0] ?? 0), `the first was ${order[0]}, ${asleep.join()} slept`);
      const answers = rig.witness.workerAnswers.slice(answered);
      assert.ok(answers.length > 100);
      assert.deepEqual(
        answers.filter((status) => LOST.has(status)),
        [],
      );
    },
  },
  {
    title: 'workers that stay where they are make it not converged, never a success, and it is rolled back',
    async play(rig) {
      rig.world.vast.arm({ kind: 'stuck-update', workers: 1, on: { template: rig.candidateHash } });
      await rolled(rig);
      const { data } = await rig.until('davit.rollout.not-converged');
      assert.ok(data.missing.length > 0);
      await endsRolledBack(rig, 'not-converged');
      assert.ok(!(await rig.story()).includes('converged'));
    },
  },
  {
    title: 'a worker that comes back idle on the old template is caught by the join, although every status is idle',
    async play(rig) {
      rig.world.vast.arm({ kind: 'update-skips', workers: 1, on: { template: rig.candidateHash } });
      await rolled(rig);
      const { data } = await rig.until('davit.rollout.not-converged');
      assert.ok(data.workers.every(({ status }) => status === 'idle' || status === 'stopped'));
      assert.ok(data.missing.length > 0);
      await endsRolledBack(rig, 'not-converged');
    },
  },
  {
    title: 'requests that queue hold acceptance back until they queue no longer',
    wish: { rollout: QUEUES },
    async play(rig) {
      await rolled(rig);
      await rig.until('davit.rollout.converged');
      const end = queueing(rig);
      const { data } = await rig.until('davit.rollout.paused');
      assert.equal(data.raiseTo, null);
      end();
      await rig.until('davit.rollout.resumed');
      await endsAccepted(rig);
    },
  },
  {
    title: 'requests that queue while workers move have more workers added within the budget, where that was asked for',
    wish: { rollout: { ...QUEUES, onQueueBreach: 'raise', objectives: { ...QUEUES.objectives, maxHourly: '9.00' } } },
    async play(rig) {
      const slow = await movingSlowly(rig);
      const end = queueing(rig);
      const { data } = await rig.until('davit.rollout.paused');
      slow();
      const isRaised = (event: RecordedEvent): boolean => 'to' in event.data && event.data.to === 'production';
      const applied = await rig.until('davit.rollout.bounds-applied', isRaised);
      assert.ok(data.raiseTo);
      assert.deepEqual(applied.data.readBack, data.raiseTo);
      end();
      await rig.until('davit.rollout.resumed');
      await endsAccepted(rig);
      const [endpoint] = [...rig.world.vast.store.endpoints.values()];
      assert.equal(endpoint?.policy.max_workers, data.raiseTo.maxWorkers);
    },
  },
  {
    title: 'bounds that somebody else changes while workers move are told as drift, and those of the rollout are not',
    async play(rig) {
      await movingSlowly(rig);
      assert.deepEqual(await dataOf(rig, 'davit.endpoint.drifted'), []);
      const [endpoint] = [...rig.world.vast.store.endpoints.values()];
      assert.ok(endpoint);
      const approved = endpoint.policy;
      endpoint.policy = { ...approved, max_workers: 9, cold_workers: 0 };
      const { data } = await rig.until('davit.endpoint.drifted');
      assert.deepEqual(
        [data.was, data.is],
        [`cold_workers ${approved.cold_workers}, max_workers ${approved.max_workers}`, 'cold_workers 0, max_workers 9'],
      );
      endpoint.policy = approved;
      await rig.word('aborted', 'f'.repeat(64));
      await endsRolledBack(rig, 'operator-aborted');
      assert.equal((await dataOf(rig, 'davit.endpoint.drifted')).length, 1, 'the way back was taken for drift');
    },
  },
  {
    title: 'requests that queue while workers move have it rolled back at once, where that was asked for',
    wish: { rollout: { ...QUEUES, onQueueBreach: 'rollback' } },
    async play(rig) {
      await movingSlowly(rig);
      const end = queueing(rig);
      await rig.until('davit.rollout.rollback-attempted');
      end();
      await endsRolledBack(rig, 'queue-breach');
      const [endpoint] = [...rig.world.vast.store.endpoints.values()];
      assert.deepEqual(
        { cold: endpoint?.policy.cold_workers, max: endpoint?.policy.max_workers },
        { cold: 2, max: 4 },
        'the bounds from before are not back',
      );
    },
  },
  {
    title:
      'workers that fell asleep unseen on the way back are woken and asked where records tell nothing, and it ends',
    wish: { workers: { cold: 3, minLoad: 400, max: 4, inactivityTimeout: '1s' } },
    async play(rig) {
      await rolled(rig);
      await rig.until('davit.rollout.converged');
      await rig.word('aborted', 'f'.repeat(64));
      await rig.until('davit.rollout.rollback-triggered');
      rig.world.vast.arm({ kind: 'rate-storm', forMs: 10_000 });
      await endsRolledBack(rig, 'operator-aborted');
      assert.equal((await dataOf(rig, 'davit.rollout.rollback-attempted')).length, 1, 'it was asked for again');
    },
  },
  {
    title: 'an output contract that regresses on production is rolled back, and its evidence kept',
    async play(rig) {
      await rolled(rig);
      await rig.until('davit.rollout.converged');
      rig.spoil('schema');
      const { data } = await rig.until(
        'davit.rollout.verdict-reached',
        (event) => 'verdict' in event.data && event.data.verdict === 'reject',
      );
      assert.ok(rig.evidence.kept.some(({ digest }) => digest === data.bundleDigest));
      await endsRolledBack(rig, 'verdict-reject', /contract/);
      assertServes(rig, rig.world.vast.standardTemplateHash);
    },
  },
];
