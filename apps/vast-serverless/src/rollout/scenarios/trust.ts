import { strict as assert } from 'node:assert';
import type { RolloutRig } from '../testing/rollout-rig.js';
import { assertServes, changesOfProduction, dataOf, endsAccepted, endsRejected, endsRolledBack } from './expect.js';
import type { Scenario } from './scenario.js';

/** Somebody edits the template that serves: its id stays, and the way back is gone. */
function editServing({ world }: RolloutRig): void {
  const { store, standardTemplateHash } = world.vast;
  const serving = store.templateBy(undefined, standardTemplateHash);
  if (serving) store.putTemplate({ ...serving.fields, tag: 'edited' }, serving.id);
}
function deleteServing({ world }: RolloutRig): void {
  const { store, standardTemplateHash } = world.vast;
  const serving = store.templateBy(undefined, standardTemplateHash);
  if (serving) store.templates.delete(serving.id);
}

const WAYS_LOST = [
  ['edited', editServing],
  ['deleted', deleteServing],
] as const;

/** Permissions that a rollout cannot do without, and where it ends without each. */
const NEEDED = [
  ['misc', 'before it begins'],
  ['user_read', 'before it begins'],
  ['instance_read', 'before production is touched'],
] as const;

const SECRET = 'registry-token-canary-8d11f0a4';

/** What is not to be trusted, and who may not do what. */
export const TRUST_SCENARIOS: readonly Scenario[] = [
  ...WAYS_LOST.map(([what, spoilWayBack]): Scenario => ({
    title: `a rollback target that was ${what} is refused before anything is begun, and tried again only when asked`,
    async play(rig) {
      spoilWayBack(rig);
      await rig.candidate();
      const { data } = await rig.until('davit.rollout.refused');
      assert.equal(data.code, 'rollback-target-unverified');
      await rig.pass(60_000);
      assert.deepEqual(await rig.story(), ['refused']);
      assert.deepEqual(changesOfProduction(rig), []);
    },
  })),
  {
    title: 'a rollback target that is edited while the question waits ends the candidate before production is touched',
    async play(rig) {
      await rig.candidate();
      await rig.until('davit.rollout.approval-requested');
      editServing(rig);
      await rig.approve();
      const { data } = await rig.until('davit.rollout.rejected');
      assert.equal(data.reason, 'rollback-target-lost');
      assert.deepEqual(changesOfProduction(rig), []);
    },
  },
  {
    title: 'bounds that an update resets are caught by reading them back, and production goes back to what it was',
    async play(rig) {
      await rig.candidate();
      await rig.until('davit.rollout.approval-requested');
      const [endpoint] = [...rig.world.vast.store.endpoints.values()];
      assert.ok(endpoint);
      const { policy } = endpoint;
      // The service says yes, and keeps a default of its own.
      Object.defineProperty(endpoint, 'policy', {
        configurable: true,
        get: () => ({ ...policy, max_workers: 20 }),
        set: () => undefined,
      });
      await rig.approve();
      const { data } = await rig.until('davit.rollout.update-refused');
      assert.match(data.detail, /max_workers was sent as \d+ and is 20/);
      Object.defineProperty(endpoint, 'policy', {
        configurable: true,
        writable: true,
        value: { ...policy, max_workers: 20 },
      });
      await endsRolledBack(rig, 'update-refused');
      assert.equal(endpoint.policy.max_workers, 4);
    },
  },
  {
    title: 'a key without billing_read is enough, and bounds and search of what serves are as approved, field by field',
    async play(rig) {
      rig.world.vast.arm({ kind: 'scope-missing', scope: 'billing_read' });
      const [group] = [...rig.world.vast.store.groups.values()];
      const search = group?.searchText;
      await rig.candidate();
      const { data } = await rig.until('davit.rollout.approval-requested');
      await rig.approve();
      await endsAccepted(rig);
      const [endpoint] = [...rig.world.vast.store.endpoints.values()];
      assert.deepEqual(endpoint?.policy, {
        ...{
          min_load: data.bounds.minLoad,
          min_cold_load: data.bounds.minColdLoad,
          target_util: data.bounds.targetUtil,
        },
        ...{
          cold_mult: data.bounds.coldMult,
          cold_workers: data.bounds.coldWorkers,
          max_workers: data.bounds.maxWorkers,
        },
        ...{ max_queue_time: data.bounds.maxQueueTimeS, target_queue_time: data.bounds.targetQueueTimeS },
        inactivity_timeout: data.bounds.inactivityTimeoutS,
      });
      assert.equal(group?.searchText, search);
    },
  },
  ...NEEDED.map(([scope, where]): Scenario => ({
    title: `a key without ${scope} stops it ${where}, names the permission, and is not tried again`,
    async play(rig) {
      const end = rig.world.vast.arm({ kind: 'scope-missing', scope });
      await rig.candidate();
      const event =
        where === 'before it begins'
          ? await rig.until('davit.rollout.refused')
          : await rig.until('davit.rollout.withdrawn');
      assert.ok('detail' in event.data && event.data.detail.includes(scope), JSON.stringify(event.data));
      assert.deepEqual(changesOfProduction(rig), []);
      end();
      if (event.type === 'davit.rollout.withdrawn') await endsRejected(rig, 'access-denied', new RegExp(scope));
      await rig.pass(60_000);
      assert.equal(
        (await dataOf(rig, 'davit.rollout.started')).length,
        event.type === 'davit.rollout.withdrawn' ? 1 : 0,
      );
    },
  })),
  {
    title: 'secrets of a template are told to nobody, whether the candidate stays or goes',
    wish: { environment: { REGISTRY_TOKEN: SECRET } },
    async play(rig) {
      rig.world.vast.store.remember(SECRET, 'planted secret of the candidate');
      await rig.candidateOf({
        template: {
          ...{ image: 'vllm/vllm-openai:v0.11.0', diskGiB: 40, ports: [8000] },
          env: { VLLM_MODEL: 'Qwen/Qwen3-8B-AWQ', VLLM_ARGS: '--served-model-name qwen3-8b --port 8000' },
        },
        secrets: [{ name: 'REGISTRY_TOKEN', from: { env: 'REGISTRY_TOKEN' } }],
      });
      await rig.approve();
      await rig.until('davit.rollout.converged');
      const made = [...rig.world.vast.store.templates.values()].filter(({ fields }) =>
        String(fields['env']).includes(SECRET),
      );
      assert.equal(made.length, 1);
      await rig.word('aborted', 'f'.repeat(64));
      await endsRolledBack(rig, 'operator-aborted');
      assertServes(rig, rig.world.vast.standardTemplateHash);
    },
  },
];
