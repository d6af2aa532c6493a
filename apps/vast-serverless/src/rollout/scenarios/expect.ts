import { strict as assert } from 'node:assert';
import type { EventData, RecordedEvent, RolloutEndReason } from '@davit/contracts';
import type { RolloutRig } from '../testing/rollout-rig.js';
import { EXTERNAL_KEY } from '../testing/setting.js';

/** The candidate is taken back before production was touched, and nothing of it is left. */
export async function endsRejected(rig: RolloutRig, reason: RolloutEndReason, detail = /./): Promise<void> {
  const { data } = await rig.until('davit.rollout.rejected');
  assert.equal(data.reason, reason, `${data.reason}: ${data.detail}`);
  assert.match(data.detail, detail);
  assert.deepEqual(changesOfProduction(rig), [], 'production was touched');
  assertServes(rig, rig.world.vast.standardTemplateHash);
  assertAlone(rig);
}

/** Production is back on what served before, worker by worker. */
export async function endsRolledBack(rig: RolloutRig, reason: RolloutEndReason, detail = /./): Promise<void> {
  const { data } = await rig.until('davit.rollout.rolled-back');
  assert.equal(data.reason, reason, `${data.reason}: ${data.detail}`);
  assert.match(data.detail, detail);
  assertServes(rig, rig.world.vast.standardTemplateHash);
  assertAlone(rig);
}

export async function endsAccepted(rig: RolloutRig): Promise<void> {
  const end = await Promise.race([rig.until('davit.rollout.accepted')]);
  assert.equal(end.data.revision, 2);
  assertServes(rig, rig.candidateHash);
  assertAlone(rig);
}

/** Every worker of production really runs this template. */
export function assertServes(rig: RolloutRig, hash: string): void {
  const [id] = rig.witness.endpointsNamed(EXTERNAL_KEY);
  const workers = rig.world.vast.truth().workers.filter(({ endpointId }) => endpointId === id);
  assert.ok(workers.length > 0, 'production has no workers');
  assert.deepEqual(
    workers.map(({ template }) => template.hash),
    workers.map(() => hash),
  );
}

/** Nothing but production is there. */
export function assertAlone({ world }: RolloutRig): void {
  const { endpoints, groups } = world.vast.store;
  assert.deepEqual(
    [...endpoints.values()].map(({ endpoint_name }) => endpoint_name),
    [EXTERNAL_KEY],
  );
  assert.equal(groups.size, 1);
}

/** Orders that were given to change what serves. */
export function changesOfProduction({ witness, world }: RolloutRig): readonly string[] {
  const [id] = witness.endpointsNamed(EXTERNAL_KEY);
  const group = [...world.vast.store.groups.values()].find(({ endpointId }) => endpointId === id);
  return witness.requests
    .filter(
      ({ route, url, body }) =>
        (/^(PUT|DELETE) /.test(route) &&
          (url.includes(`/endptjobs/${id}/`) || url.includes(`/workergroups/${group?.id}/`))) ||
        (route === 'POST /update_workers/' && body.includes(`"workergroup_id":${group?.id}`)),
    )
    .map(({ route }) => route);
}

/** What the log holds of one type. */
export async function dataOf<Type extends RecordedEvent['type']>(
  rig: RolloutRig,
  type: Type,
): Promise<readonly EventData<Type>[]> {
  const events = await rig.events();
  return events.filter((event) => event.type === type).map(({ data }) => data as EventData<Type>); // of this type
}
