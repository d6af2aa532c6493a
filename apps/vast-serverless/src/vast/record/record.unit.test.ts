import { describe, expect, test } from '@jest/globals';
import { WorldRig } from '../../testing/world-rig.js';
import { writeEndpoint } from './endpoint.js';
import { writeWorkergroup } from './workergroup.js';

async function launched(vast: object = {}) {
  const rig = new WorldRig({ vast });
  const order = rig.order(
    rig.spec({ search: 'verified=true gpu_name=L40S', workers: { cold: 1, max: 3, minLoad: 1 } }),
  );
  const result = await rig.backend.ensure(order);
  if (result.outcome !== 'accepted') throw new Error(JSON.stringify(result));
  const { store } = rig.world.vast;
  const [endpoint] = [...store.endpoints.values()];
  const [group] = [...store.groups.values()];
  if (!endpoint || !group) throw new Error('nothing was made');
  return { rig, endpoint, group, client: rig.newClient(), store, handle: result.handle };
}

describe('writing an endpoint', () => {
  test.each(['merge', 'reset-omitted'])(
    'one field leaves the others as they are, where updates %s',
    async (putEndpoint) => {
      const { rig, endpoint, client } = await launched({ putEndpoint });
      const before = { ...endpoint.policy };
      const result = await rig.drive(writeEndpoint(client, endpoint.id, { policy: { max_workers: 5 } }));
      expect(result.outcome).toBe('written');
      expect(endpoint.policy).toEqual({ ...before, max_workers: 5 });
      expect(endpoint.endpoint_state).toBe('active');
    },
  );

  test('that keeps another value than was sent is named by field', async () => {
    const { rig, endpoint, client } = await launched();
    Object.defineProperty(endpoint, 'policy', { value: Object.freeze({ ...endpoint.policy }), writable: false });
    rig.world.faults.add({
      ...{ service: 'vast-console', verb: `PUT /api/v0/endptjobs/${endpoint.id}/` },
      effect: { kind: 'status', status: 200, body: '{"success":true}' },
    });
    const result = await rig.drive(writeEndpoint(client, endpoint.id, { policy: { max_workers: 5, cold_workers: 2 } }));
    expect(result).toMatchObject({
      outcome: 'differs',
      differences: [
        { field: 'cold_workers', sent: '2', stored: '1' },
        { field: 'max_workers', sent: '5', stored: '3' },
      ],
    });
  });

  test('whose answer is lost is judged by what is stored', async () => {
    const { rig, endpoint, client } = await launched();
    const verb = `PUT /api/v0/endptjobs/${endpoint.id}/`;
    rig.world.faults.add({ service: 'vast-console', verb, effect: { kind: 'lost-reply' } });
    expect((await rig.drive(writeEndpoint(client, endpoint.id, { policy: { max_workers: 5 } }))).outcome).toBe(
      'written',
    );
    rig.world.faults.add({ service: 'vast-console', verb, effect: { kind: 'lost-request' } });
    expect((await rig.drive(writeEndpoint(client, endpoint.id, { policy: { max_workers: 6 } }))).outcome).toBe(
      'unknown',
    );
  });

  test('with a field that has no value anywhere is refused, and nothing is sent', async () => {
    const { rig, endpoint, client } = await launched();
    endpoint.policy = { ...endpoint.policy, inactivity_timeout: null };
    rig.requests.length = 0;
    expect(await rig.drive(writeEndpoint(client, endpoint.id, { policy: { max_workers: 5 } }))).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('inactivity_timeout') as unknown,
    });
    expect(rig.routes().some((route) => route.startsWith('PUT'))).toBe(false);
  });

  test('is not begun once the lease is lost', async () => {
    const { rig, endpoint, client } = await launched();
    rig.requests.length = 0;
    const lost = writeEndpoint(client, endpoint.id, { policy: { max_workers: 5 } }, () => Promise.resolve(false));
    expect((await rig.drive(lost)).outcome).toBe('unknown');
    expect(rig.routes().some((route) => route.startsWith('PUT'))).toBe(false);
  });
});

describe('writing the template of a workergroup', () => {
  test('sends its search, its memory and its arguments along, and reads both identities back', async () => {
    const { rig, group, client, store } = await launched();
    group.launchArgs = '--env SECRET=canary-of-launch-arguments';
    const search = group.searchText;
    const next = store.putTemplate({ name: 'next', image: 'vllm:2' });
    const result = await rig.drive(writeWorkergroup(client, group.id, { template: { id: next.id, hash: next.hash } }));
    expect(result).toMatchObject({ outcome: 'written', after: { template_id: next.id, template_hash: next.hash } });
    expect(group).toMatchObject({ searchText: search, gpuRamGb: 24 });
    expect(group.launchArgs).toContain('canary-of-launch-arguments');
    expect(JSON.stringify(result)).not.toContain('canary-of-launch-arguments');
  });

  test('that keeps the old one is named by both of its identities', async () => {
    const { rig, group, client, store } = await launched();
    const old = group.template;
    const next = store.putTemplate({ name: 'next', image: 'vllm:2' });
    rig.world.faults.add({
      ...{ service: 'vast-console', verb: `PUT /api/v0/workergroups/${group.id}/` },
      effect: { kind: 'status', status: 200, body: '{"success":true}' },
    });
    const result = await rig.drive(writeWorkergroup(client, group.id, { template: { id: next.id, hash: next.hash } }));
    expect(result).toMatchObject({
      outcome: 'differs',
      differences: [
        { field: 'template_id', sent: String(next.id), stored: String(old.id) },
        { field: 'template_hash', sent: next.hash, stored: old.hash },
      ],
    });
  });

  test('of one that is not there is refused', async () => {
    const { rig, client } = await launched();
    const result = await rig.drive(writeWorkergroup(client, 1, { template: { id: 1, hash: 'a' } }));
    expect(result).toMatchObject({ outcome: 'refused', detail: expect.stringContaining('is not there') as unknown });
  });
});
