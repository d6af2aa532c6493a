import { strict as assert } from 'node:assert';
import { changesOfProduction, dataOf, endsAccepted, endsRejected, endsRolledBack } from './expect.js';
import type { Scenario } from './scenario.js';
import { VARIANTS } from './variants.js';

/** Ways in which an answer gets lost, one for each variant. */
const LOST = [
  { kind: 'lost-reply' },
  { kind: 'status-after', status: 504, body: '' },
  { kind: 'malformed', how: 'truncate' },
] as const;

/** What Vast does not answer, or refuses for a while. */
export const TROUBLE_SCENARIOS: readonly Scenario[] = [
  {
    title:
      'a storm of 429 that ends in time only delays it; what fell asleep unseen meanwhile is woken and asked what it serves',
    async play(rig) {
      await rig.candidate();
      await rig.until('davit.rollout.started');
      const end = rig.world.vast.arm({ kind: 'rate-storm', forMs: 20_000 });
      await rig.approve();
      end();
      await rig.until('davit.rollout.update-triggered');
      await rig.pass(1_000);
      rig.world.vast.arm({ kind: 'rate-storm', forMs: 10_000 });
      await endsAccepted(rig);
    },
  },
  {
    title:
      'a storm of 429 that outlasts the deadline of the canary ends it, and what was made is removed once it is over',
    async play(rig) {
      await rig.candidate();
      await rig.until('davit.endpoint.launch-accepted', ({ stream }) => !stream.includes('hdiy67'));
      rig.world.vast.arm({ kind: 'rate-storm', forMs: 240_000 });
      await endsRejected(rig, 'deadline');
    },
  },
  {
    title: 'a storm of 429 that outlasts the deadline of the change has it rolled back, and is not taken for success',
    async play(rig) {
      await rig.candidate();
      await rig.approve();
      await rig.until('davit.rollout.update-triggered');
      rig.world.vast.arm({ kind: 'rate-storm', forMs: 180_000 });
      await rig.until('davit.rollout.not-converged');
      await endsRolledBack(rig, 'not-converged');
    },
  },
  {
    title: 'what was created or changed and not answered is looked for, and never asked for twice',
    async play(rig, variant) {
      const effect = LOST[VARIANTS.indexOf(variant) % LOST.length] ?? LOST[0];
      for (const verb of ['POST /api/v0/endptjobs/', 'POST /api/v0/workergroups/'])
        rig.world.faults.add({ service: 'vast-console', verb, effect });
      await rig.candidate();
      await rig.until('davit.rollout.approval-requested');
      rig.world.faults.clear();
      const { store } = rig.world.vast;
      const [group] = [...store.groups.keys()];
      const [endpoint] = [...store.endpoints.keys()];
      for (const verb of [`PUT /api/v0/workergroups/${group}/`, `PUT /api/v0/endptjobs/${endpoint}/`])
        rig.world.faults.add({ service: 'vast-console', verb, effect });
      const before = changesOfProduction(rig).length;
      await rig.approve();
      await endsAccepted(rig);
      const changes = changesOfProduction(rig).slice(before);
      assert.equal(changes.filter((route) => route.startsWith('PUT')).length, 2, changes.join());
      assert.equal((await dataOf(rig, 'davit.rollout.update-attempted')).length, 1);
    },
  },
  {
    title: 'a template whose creation was not answered is found by its name, and made once',
    async play(rig) {
      const verb = 'POST /api/v0/template/';
      rig.world.faults.add({ service: 'vast-console', verb, effect: { kind: 'lost-reply' } });
      await rig.candidateOf({
        template: {
          ...{ image: 'vllm/vllm-openai:v0.11.0', diskGiB: 40, ports: [8000] },
          env: { VLLM_MODEL: 'Qwen/Qwen3-8B-AWQ', VLLM_ARGS: '--served-model-name qwen3-8b --port 8000' },
        },
      });
      await rig.until('davit.rollout.candidate-proved');
      assert.equal(rig.witness.calls(verb).length, 1);
      await rig.word('aborted', 'f'.repeat(64));
      await endsRejected(rig, 'operator-aborted');
    },
  },
  {
    title: 'a canary whose workers could not be destroyed is not gone, and its rollout not over, before they are',
    async play(rig) {
      await rig.candidate();
      await rig.until('davit.rollout.bounds-applied');
      rig.world.vast.options.failedOnDelete = 1;
      await rig.word('aborted', 'f'.repeat(64));
      const refused = await rig.until('davit.endpoint.delete-refused');
      assert.match(refused.data.detail, /not destroyed/);
      await rig.pass(120_000);
      const story = await rig.story();
      assert.ok(!story.includes('canary-removed') && !story.includes('rejected'), story.join(' '));
      rig.world.vast.options.failedOnDelete = 0;
      for (const { id, leaked } of rig.world.vast.truth().workers) {
        const worker = rig.world.vast.store.workers.get(id);
        if (leaked && worker) rig.world.vast.engine.destroy([worker], 0);
      }
      await endsRejected(rig, 'operator-aborted');
    },
  },
];
