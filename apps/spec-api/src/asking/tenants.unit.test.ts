import { beforeEach, describe, expect, test } from '@jest/globals';
import { type NewEvent, stream } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { IntentHandler } from '../intents/intent-handler.js';
import { FleetController } from '../queries/fleet.controller.js';
import { QueriesController } from '../queries/queries.controller.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import type { Principal } from './principal.js';

const search: Principal = { actor: 'ci@search', role: 'viewer', tenants: ['search'] };

let log: EventLog;
beforeEach(async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const ports = { log, model: foldedModel(log), clock, ids: sequentialIds(2), random: seededRandom(1) };
  const handler = new IntentHandler(ports, 'spec-api');
  for (const tenant of ['default', 'search', 'searching']) {
    await handler.apply(manifest({}, { tenant, name: 'small' }), { channel: 'http' });
    await rented(log, { tenant, name: 'small', hourly: '1.00' });
  }
  await write('default', lost('default'));
  await write('search', lost('search'));
  await write('default', {
    type: 'davit.fleet.frozen',
    data: {
      ...{ lost: 1, suspects: 4, serving: 6, intervalMs: 60_000 },
      ...{ replicas: ['default/small-1-0-1'], detail: 'default/small-1-0-1 and others' },
    },
  });
});

const write = (tenant: string, event: NewEvent) =>
  log.append([{ stream: stream.fleetLosses, expectedVersion: 'any', events: [event] }], { tenant, service: 'x' });
const lost = (tenant: string): NewEvent => ({
  type: 'davit.fleet.replica-lost',
  data: { replicaId: `${tenant}/small-1-0-1`, deployment: `${tenant}/small`, reason: 'refused' },
});

describe('whoever may see one tenant', () => {
  test('finds its documents alone, in lists, by name and in walks', async () => {
    const { model } = await askedBy(log, { principal: search }).view();
    const replicas = await model.list('replica');
    expect(replicas.map(({ key }) => key)).toEqual(['search/small-1-0-1']);
    expect(await model.get('deployment', 'default/small')).toBeUndefined();
    expect(await model.get('deployment', 'search/small')).toBeDefined();
    const walked = await model.scan(undefined, 100);
    expect(JSON.stringify(walked)).not.toMatch(/default\/|searching\//);
    expect(walked.map(({ kind }) => kind)).toEqual(['deployment', 'fleet', 'offer', 'replica']);
    const [first] = await model.scan(undefined, 1);
    expect(first).toMatchObject({ kind: 'deployment', key: 'search/small' });
  });

  test('reads its events alone, in pages that are as full as asked for', async () => {
    const { log: seen } = await askedBy(log, { principal: search }).view();
    const all = await seen.read(0, 1_000);
    expect(new Set(all.map(({ tenant }) => tenant))).toEqual(new Set(['search']));
    const [first, second] = await seen.read(0, 2);
    expect([first, second]).toEqual(all.slice(0, 2));
    expect(await seen.read(second?.position ?? 0, 1)).toEqual(all.slice(2, 3));
    expect(await seen.readStream(stream.replica('default/small-1-0-1'))).toEqual([]);
    expect(await seen.readStream(stream.fleetLosses, 0, { limit: 1 })).toMatchObject([{ tenant: 'search' }]);
  });

  test('is told nothing of others by an answer or an error', async () => {
    const asking = askedBy(log, { principal: search });
    const queries = new QueriesController();
    expect((await queries.deployments(asking, { all: true, limit: 9 })).items).toMatchObject([{ tenant: 'search' }]);
    expect((await queries.deployments(asking, { all: false, limit: 9, tenant: 'default' })).items).toEqual([]);
    await expect(queries.deployment(asking, { tenant: 'default', name: 'small' })).rejects.toMatchObject({
      status: 404,
    });
    await expect(queries.replicas(asking, { all: false, limit: 9, deployment: 'default/small' })).rejects.toMatchObject(
      {
        status: 404,
      },
    );
    const fleet = await new FleetController().fleet(asking, {});
    expect(fleet).toMatchObject({ serving: 0, losses: [{ replica: 'search/small-1-0-1' }] });
    expect(fleet.frozen?.detail).toBe('too much of the whole fleet fell ill at once');
  });
});

test('whoever may see all tenants sees what is there', async () => {
  const { model, log: seen, position } = await askedBy(log).view();
  expect((await model.list('replica')).map(({ key }) => key)).toHaveLength(3);
  expect(await seen.read(0, 1_000)).toHaveLength(position);
});
