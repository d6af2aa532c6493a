import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type EventData,
  type NewEvent,
  type Placement,
  type StockSignal,
  operations,
  parseDeployment,
  stream,
  whatIfView,
} from '@davit/contracts';
import { declare, offerKeyOf } from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, sequentialIds } from '@davit/ports';
import { bodyOf } from '../operations/reading.js';
import { askedBy } from '../testing/asked-by.js';
import { manifest } from '../testing/manifest.js';
import { WhatIfController } from './whatif.controller.js';

const KEY = 'default/qwen3-8b';
const REPLICA = `${KEY}-1-0-1`;
const RESOURCE = stream.resource('dv-test');
const owner = { externalKey: 'dv-test', replicaId: REPLICA, adapter: 'skypilot' };
const INTENT = '00000000-0000-4000-8000-000000000001';

let clock: VirtualClock;
let log: EventLog;
let controller: WhatIfController;

beforeEach(() => {
  clock = new VirtualClock();
  ({ log } = createMemoryLog({ clock, ids: sequentialIds() }));
  controller = new WhatIfController();
});

const write = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
  log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'x' });

const one = manifest({ scaling: { replicas: 1 } });
const vastOnly = manifest({
  scaling: { replicas: 1 },
  compute: { mode: 'elastic', placements: [{ cloud: 'vast', accelerator: 'L40S:1' }] },
});
function declared(): NewEvent {
  const parsed = parseDeployment(one);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const outcome = declare(undefined, parsed.deployment, INTENT);
  const [event] = outcome.outcome === 'accepted' ? outcome.events : [];
  if (!event) throw new Error('not declared');
  return event;
}
const placement = (cloud: string): Placement => ({
  cloud,
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
});
function signal(amount: string): StockSignal {
  const observedAt = new Date(clock.nowMs()).toISOString();
  const quoted = { currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'x' } as const;
  return {
    state: 'available',
    source: 'x',
    scope: 'global',
    level: null,
    observedAt,
    expiresAt: new Date(clock.nowMs() + 60_000).toISOString(),
    price: { amount, ...quoted, observedAt },
    detail: '',
    permanent: false,
  };
}

/** A deployment whose only replica was placed on RunPod, and serves since. */
async function recorded(): Promise<void> {
  await write(stream.deployment(KEY), declared());
  await clock.advance(1_000);
  const identity = { deployment: KEY, revision: 1, ordinal: 0, incarnation: 1, externalKey: 'dv-test' };
  const made = { mode: 'elastic', adapter: 'skypilot', servedName: 'qwen3-8b', reason: '', replaces: null } as const;
  await write(
    stream.replica(REPLICA),
    { type: 'davit.replica.requested', data: { replicaId: REPLICA, ...identity, ...made } },
    { type: 'davit.replica.discovery-requested', data: { replicaId: REPLICA, attempt: 1 } },
  );
  await write(RESOURCE, {
    type: 'davit.resource.discovered',
    data: { ...owner, attempt: 1, outcome: 'absent', detail: '' },
  });
  const said = { runpod: signal('0.86'), vast: signal('0.40') };
  for (const [rung, cloud] of (['runpod', 'vast'] as const).entries())
    await write(`capacity/${cloud}`, {
      type: 'davit.capacity.assessed',
      data: { replicaId: REPLICA, attempt: 1, rung, placement: placement(cloud), signal: said[cloud] },
    });
  const chosen: EventData<'davit.replica.placed'>['evidence'][number] = {
    rung: 0,
    placement: placement('runpod'),
    state: 'available',
    source: 'x',
    scope: 'global',
    observedAt: said.runpod.observedAt,
    verdict: 'chosen',
    reason: 'first',
    ageMs: 0,
  };
  const deadlineAt = new Date(clock.nowMs() + 900_000).toISOString();
  const { price } = said.runpod;
  await write(
    stream.replica(REPLICA),
    {
      type: 'davit.replica.placed',
      data: { replicaId: REPLICA, rung: 0, placement: placement('runpod'), adopted: false, price, evidence: [chosen] },
    },
    { type: 'davit.replica.launch-requested', data: { replicaId: REPLICA, attempt: 1, deadlineAt } },
  );
  await write(
    RESOURCE,
    { type: 'davit.resource.launch-attempted', data: { ...owner, attempt: 1, placement: null, leaseEpoch: 1 } },
    { type: 'davit.resource.launch-accepted', data: { ...owner, attempt: 1, handle: null, resolvedBy: 'reply' } },
  );
  await clock.advance(3_600_000);
}
const send = async (body: object) => controller.whatIf(askedBy(log, { clock }), bodyOf(operations.whatIf, body));
const ask = async (body: object) => whatIfView.parse(await send({ from: '2h', ...body }));

describe('a replay over HTTP', () => {
  test('of what was declared finds no difference, and costs what it cost', async () => {
    await recorded();
    const view = await ask({ against: KEY });
    expect(view).toMatchObject({ compared: 1, differences: 0, notWanted: [] });
    expect(view.cost).toEqual(view.realCost);
    expect(view.cost.amounts).toEqual([{ currency: 'USD', amount: '0.860000' }]);
    expect(view.slots[0]?.machines).toEqual([expect.objectContaining({ offer: offerKeyOf(placement('runpod')) })]);
  });
  test('of another specification shows the first other decision next to the real one, and both costs', async () => {
    await recorded();
    const view = await ask({ deployment: vastOnly, against: 'qwen3-8b' });
    expect(view).toMatchObject({ compared: 1, differences: 1 });
    expect(view.slots[0]?.decisions[0]).toMatchObject({
      offer: offerKeyOf(placement('vast')),
      real: { offer: offerKeyOf(placement('runpod')), replica: REPLICA },
    });
    expect(view.cost.amounts).toEqual([{ currency: 'USD', amount: '0.400000' }]);
    expect(view.realCost?.amounts).toEqual([{ currency: 'USD', amount: '0.860000' }]);
  });
  test('of another objective ranks the same places anew', async () => {
    await recorded();
    expect(await ask({ against: KEY, objective: 'cost' })).toMatchObject({ differences: 1 });
  });
  test('from later on remembers what there was before the window', async () => {
    await recorded();
    const view = await ask({ against: KEY, from: '10m' });
    expect(view).toMatchObject({ compared: 0, differences: 0 });
    expect(view.cost).toEqual(view.realCost);
    expect(view.slots[0]?.machines).toHaveLength(1);
  });
  test('without a deployment to stand for tells the rules it rests on', async () => {
    await recorded();
    const view = await ask({ deployment: vastOnly });
    expect(view).toMatchObject({ against: null, realCost: null, compared: 0 });
    expect(view.rules.join(' ')).toMatch(/refused where a real start.*assumed 10 minutes.*blocks nothing/s);
  });
  test('writes nothing', async () => {
    await recorded();
    const head = await log.head();
    await ask({ against: KEY });
    expect(await log.head()).toBe(head);
  });

  test.each([
    ['nothing to replay', {}, 422, 'deployment'],
    ['a key nobody reads', { deployment: one, agianst: KEY }, 422, 'agianst'],
    [
      'a specification that is wrong',
      { deployment: manifest({ scaling: { replicas: -1 } }) },
      422,
      'spec.scaling.replicas',
    ],
    [
      'more replicas than are replayed',
      { deployment: manifest({ scaling: { replicas: 101 } }) },
      422,
      'spec.scaling.replicas',
    ],
    ['a deployment that is not there', { against: 'nobody' }, 404, 'against'],
    ['a time that is none', { deployment: one, from: 'yesterday' }, 400, '?from'],
  ])('%s is refused, with the place of the mistake', async (_what, body, status, path) => {
    await expect(send(body)).rejects.toMatchObject({
      status,
      errors: [expect.objectContaining({ path })],
    });
  });
});
