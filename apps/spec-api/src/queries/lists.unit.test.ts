import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type NewEvent,
  type SentQuery,
  intentView,
  operations,
  resourceView,
  revisionView,
  stream,
} from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import type { Asking } from '../asking/asking.js';
import { IntentHandler } from '../intents/intent-handler.js';
import { queryOf } from '../operations/reading.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import { FleetController } from './fleet.controller.js';
import { IntentHistoryController } from './intent-history.controller.js';
import { QueriesController } from './queries.controller.js';
import { ResourcesController } from './resources.controller.js';
import { RevisionsController } from './revisions.controller.js';

const HTTP = { channel: 'http' } as const;
const queries = new QueriesController();
const resources = new ResourcesController();
let log: EventLog;
let handler: IntentHandler;
let asking: Asking;
beforeEach(async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const model = foldedModel(log);
  handler = new IntentHandler({ log, model, clock, ids: sequentialIds(2), random: seededRandom(1) }, 'spec-api');
  asking = askedBy(log, { model });
  await handler.apply(manifest({}, { name: 'alpha', labels: { team: 'search' } }), HTTP);
  await handler.apply(manifest({}, { name: 'beta', labels: { team: 'ads', tier: 'gold' } }), HTTP);
  await handler.apply(manifest({}, { name: 'gamma', tenant: 'acme' }), HTTP);
});

const write = (name: string, event: NewEvent, tenant = 'default') =>
  log.append([{ stream: name, expectedVersion: 'any', events: [event] }], { tenant, service: 'x' });
const names = async (query: SentQuery): Promise<readonly string[]> =>
  (await queries.deployments(asking, queryOf(operations.listDeployments, query))).items.map(({ name }) => name);

describe('the list of deployments', () => {
  test.each([
    [{ tenant: 'acme' }, ['gamma']],
    [{ label: 'team=search' }, ['alpha']],
    [{ label: ['team=ads', 'tier=gold'] }, ['beta']],
    [{ label: 'team=ads,tier=silver' }, []],
    [{ status: 'deleting,deleted' }, []],
    [{ status: 'active', paused: 'true' }, []],
    [{ condition: 'Available:false' }, []],
    [{ limit: '1', after: 'acme/gamma' }, ['alpha']],
  ])('is filtered by %j', async (query, wanted) => {
    expect(await names(query)).toEqual(wanted);
  });

  test('knows conditions by status and by reason, and pauses', async () => {
    await write(stream.deployment('default/beta'), {
      type: 'davit.deployment.condition-changed',
      data: { condition: 'Progressing', status: 'false', reason: 'GivenUp', message: '', generation: 1 },
    });
    await handler.pause({ name: 'alpha', reason: 'x' }, HTTP);
    expect(await names({ condition: 'Progressing:GivenUp' })).toEqual(['beta']);
    expect(await names({ condition: 'Progressing:false' })).toEqual(['beta']);
    expect(await names({ paused: 'true' })).toEqual(['alpha']);
  });

  test('tells what changed after a position: a deployment whose replica changed, and one that is gone, too', async () => {
    const { position } = await queries.deployments(asking, queryOf(operations.listDeployments, {}));
    expect(await names({ changedAfter: String(position) })).toEqual([]);
    await rented(log, { name: 'beta', hourly: '1.00' });
    await handler.delete({ name: 'gamma', tenant: 'acme' }, HTTP);
    await write(stream.deployment('acme/gamma'), { type: 'davit.deployment.deleted', data: { generation: 1 } }, 'acme');
    expect(await names({ changedAfter: String(position) })).toEqual(['gamma', 'beta']);
    expect(await names({})).toEqual(['alpha', 'beta']);
  });

  test.each([
    [{ limit: '0' }, '?limit'],
    [{ limit: '10001' }, '?limit'],
    [{ changedAfter: 'yesterday' }, '?changedAfter'],
    [{ condition: 'Available' }, '?condition'],
    [{ label: 'team' }, '?label[0]'],
    [{ status: 'alive' }, '?status[0]'],
    [{ lable: 'team=search' }, '?lable'],
  ])('refuses %j with the parameter that is wrong', async (query, path) => {
    await expect(names(query)).rejects.toMatchObject({ status: 400, errors: [{ path }] });
  });
});

describe('replicas, resources and routes', () => {
  test('are read by filter and one by one', async () => {
    const id = await rented(log, { name: 'beta', hourly: '1.00' });
    const listed = (query: SentQuery) => queries.replicas(asking, queryOf(operations.listReplicas, query));
    expect((await listed({ state: 'launching', cloud: 'runpod' })).items).toMatchObject([{ id }]);
    expect((await listed({ state: 'serving' })).items).toEqual([]);
    expect((await listed({ cloud: 'vast' })).items).toEqual([]);
    const [tenant = '', name = ''] = id.split('/');
    expect(await queries.replica(asking, { tenant, name })).toMatchObject({ id });
    await expect(queries.replica(asking, { tenant, name: 'nope' })).rejects.toMatchObject({ status: 404 });
    await expect(queries.route(asking, { tenant, alias: 'nope' })).rejects.toMatchObject({ status: 404 });
  });

  test('a resource says who owns it and that it bills, and is past once its absence is proven', async () => {
    const id = await rented(log, { name: 'beta', hourly: '1.00' });
    const listed = async (query: SentQuery) =>
      (await resources.resources(asking, queryOf(operations.listResources, query))).items;
    const [row] = await listed({ billing: 'true' });
    expect(row).toEqual(resourceView.parse(row));
    expect(row).toMatchObject({ owner: { kind: 'replica', id }, billing: true, absence: 'not-seen-absent' });
    expect(await resources.resource(asking, { key: row?.key ?? '' })).toEqual(row);
    const { externalKey = '' } = row ?? {};
    const at = '2026-01-01T00:00:00.000Z';
    await write(stream.resource(externalKey), {
      type: 'davit.resource.absence-confirmed',
      data: { externalKey, replicaId: id, adapter: 'skypilot', observedAt: [at, at], inventoryRows: 0 },
    });
    expect(await listed({})).toEqual([]);
    expect(await listed({ all: 'true' })).toMatchObject([{ billing: false, absence: 'proven' }]);
    await expect(resources.resource(asking, { key: 'nope' })).rejects.toMatchObject({ status: 404 });
  });
});

test('the revisions of a deployment tell who declared each, and which serves', async () => {
  await handler.apply({ deployment: manifest({ scaling: { replicas: 5 } }, { name: 'alpha' }), actor: 'ada' }, HTTP);
  await handler.apply(manifest({ model: { id: 'a/other' } }, { name: 'alpha' }), HTTP);
  await write(stream.deployment('default/alpha'), {
    type: 'davit.deployment.revision-activated',
    data: { revision: 1, previous: null },
  });
  const controller = new RevisionsController();
  const { items } = await controller.revisions(asking, { tenant: 'default', name: 'alpha' });
  expect(items).toEqual(items.map((row) => revisionView.parse(row)));
  expect(items).toMatchObject([
    { revision: 1, active: true, latest: false, declarations: [{ generation: 1 }, { generation: 2, actor: 'ada' }] },
    { revision: 2, active: false, latest: true, declarations: [{ generation: 3 }] },
  ]);
  const one = { tenant: 'default', name: 'alpha', revision: '2' };
  expect(await controller.revision(asking, one)).toEqual(items[1]);
  await expect(controller.revision(asking, { ...one, revision: '9' })).rejects.toMatchObject({ status: 404 });
});

describe('the list of intents', () => {
  const history = new IntentHistoryController();
  const listed = (query: SentQuery = {}) => history.intents(asking, queryOf(operations.listIntents, query));

  test('is told from the newest on, page after page, without a gap or a row twice', async () => {
    for (let replicas = 1; replicas <= 5; replicas++) await handler.scale({ name: 'alpha', replicas }, HTTP);
    const all = (await listed()).items;
    expect(all).toEqual(all.map((row) => intentView.parse(row)));
    expect(all.map(({ verb }) => verb)).toEqual([...Array<string>(5).fill('scale'), 'apply', 'apply', 'apply']);
    const pages: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listed>> = await listed({
        limit: '3',
        ...(after === null ? {} : { after }),
      });
      pages.push(...page.items.map(({ id }) => id));
      // One that comes between two pages belongs to none of those that follow.
      await handler.scale({ name: 'beta', replicas: 7 }, HTTP);
      after = page.next;
    } while (after !== null);
    expect(pages).toEqual(all.map(({ id }) => id));
  });

  test('is filtered, and each is read by its id with why it was refused', async () => {
    await handler.pause({ name: 'alpha', actor: 'ada', reason: 'x' }, HTTP);
    const refused = await handler.scale({ name: 'nope', replicas: 1 }, HTTP);
    expect((await listed({ actor: 'ada' })).items).toMatchObject([{ verb: 'pause', deployment: 'default/alpha' }]);
    expect((await listed({ deployment: 'alpha', verb: 'apply,scale' })).items).toHaveLength(1);
    expect((await listed({ tenant: 'acme' })).items).toMatchObject([{ deployment: 'acme/gamma' }]);
    expect((await listed({ outcome: 'rejected' })).items).toMatchObject([{ refusal: { code: 'not-found' } }]);
    expect(await history.intent(asking, { id: refused.intentId })).toMatchObject({
      id: refused.intentId,
      changed: null,
    });
    const unknown = { id: '00000000-0000-4000-8000-00000000ffff' };
    await expect(history.intent(asking, unknown)).rejects.toMatchObject({ status: 404 });
  });
});

test('alarms that were cleared are told to whoever follows the list', async () => {
  const fleet = new FleetController();
  const listed = (query: SentQuery = {}) => fleet.alarms(asking, queryOf(operations.listAlarms, query));
  const data = { alarm: 'blind', about: 'runpod', detail: '' };
  await write(stream.fleetAlarms, { type: 'davit.fleet.alarm-raised', data: { ...data, severity: 'critical' } });
  const { position, items } = await listed();
  expect(items).toMatchObject([{ alarm: 'blind' }]);
  await write(stream.fleetAlarms, { type: 'davit.fleet.alarm-cleared', data });
  expect(await listed({ changedAfter: String(position) })).toMatchObject({ items: [], cleared: [{ about: 'runpod' }] });
  expect(await listed()).toMatchObject({ items: [], cleared: [] });
});
