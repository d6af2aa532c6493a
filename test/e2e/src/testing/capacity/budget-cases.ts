import { beforeAll, expect, test } from '@jest/globals';
import type { Stage } from './stage.js';

const REFUSED = 'default/refused';
const DRAINED = 'default/drained';
const TENANT = 'research';
const SHARED = [`${TENANT}/first`, `${TENANT}/second`] as const;

export function budgetCases(stage: Stage): void {
  beforeAll(async () => {
    const { market } = stage();
    await market.order('tenant/set-budget', {
      tenant: TENANT,
      budget: { maxHourly: '1.50', currency: 'USD', onExceed: 'refuse' },
    });
    await Promise.all([
      market.apply({
        name: 'refused',
        placements: ['A100-80GB:1'],
        replicas: 2,
        budget: { maxHourly: '2.00', currency: 'USD', onExceed: 'refuse' },
      }),
      market.apply({
        name: 'drained',
        placements: ['H200-SXM:1'],
        replicas: 2,
        budget: { maxHourly: '8.00', currency: 'USD', onExceed: 'drain' },
      }),
      market.apply({ name: 'first', tenant: TENANT, placements: ['L40:1'] }),
    ]);
  });

  test('is checked by the plan, which names what would not be rented', async () => {
    const { market } = stage();
    const body = market.manifest({
      name: 'dreamt',
      placements: ['B200:1'],
      replicas: 2,
      budget: { maxHourly: '6.00', currency: 'USD', onExceed: 'refuse' },
    });
    const planned = await market.cli(['plan', '-f', '-'], JSON.stringify(body));
    expect(planned.stdout + planned.stderr).toMatch(/10\.38|5\.19/);
    expect(planned.stdout + planned.stderr).toMatch(/budget/i);
  });

  test('that holds one machine rents one: the second replica waits with the ceiling as its reason, and has failed nothing', async () => {
    const { rig, market } = stage();
    await market.serving(REFUSED, 1);
    const waiting = await market.waiting(REFUSED);
    expect(waiting.wait?.next).toMatch(/budget/);
    expect(await market.events('davit.resource.launch-attempted', REFUSED)).toHaveLength(1);
    expect(await market.events('davit.replica.failed', REFUSED)).toEqual([]);
    const machines = (await rig.world.ledger()).machines.filter(({ accelerator }) => accelerator === 'A100-80GB');
    expect(machines).toHaveLength(1);
  });

  test('of a tenant bounds what its deployments spend together', async () => {
    const { market } = stage();
    const [first, second] = SHARED;
    await market.serving(first, 1);
    await market.apply({ name: 'second', tenant: TENANT, placements: ['L40:1'] });
    const waiting = await market.waiting(second);
    expect(waiting.wait?.next).toMatch(/research[\s\S]*1\.50?/);
    await market.order('tenant/set-budget', {
      tenant: TENANT,
      budget: { maxHourly: '2.50', currency: 'USD', onExceed: 'refuse' },
    });
    await market.serving(second, 1);
  });

  test('that the bill exceeds is alarmed of before, and what came last is drained first until the rest fits', async () => {
    const { rig, market } = stage();
    const [one, two] = await market.serving(DRAINED, 2);
    expect(await market.alarm('budget-near', /^default\/drained$/)).toMatchObject({ severity: 'warning' });
    const [machine] = (await rig.world.running()).filter(({ owner }) => owner === `sky:${one?.externalKey ?? ''}`);
    await rig.world.reprice(machine?.id ?? '', 5);

    const left = await market.until('one replica is left', async () => {
      const present = await market.replicas(DRAINED);
      return present.filter(({ url }) => url !== null).length === 1 ? present : undefined;
    });
    // Two that were asked for together begin to bill in whatever order their launches are accepted.
    const accepted = await market.events('davit.resource.launch-accepted', DRAINED);
    const newest = [one, two].sort((a, b) => positionOf(accepted, b?.id) - positionOf(accepted, a?.id))[0];
    expect(left.map(({ id }) => id)).not.toContain(newest?.id);
    const drained = await market.events('davit.replica.drain-requested', DRAINED);
    expect(drained.map(({ data }) => data.replicaId)).toEqual([newest?.id]);
    expect(drained[0]?.data.reason).toMatch(/budget[\s\S]*8\.59/);
    const told = (await market.log()).flatMap((event) =>
      event.type === 'davit.deployment.condition-changed' && event.stream === `deployment/${DRAINED}`
        ? [event.data]
        : [],
    );
    expect(told).toContainEqual(expect.objectContaining({ condition: 'WithinBudget', reason: 'HourlyExceeded' }));
  });
}

const positionOf = (
  events: readonly { readonly position: number; readonly data: { readonly replicaId: string | null } }[],
  id: string | undefined,
): number => events.find(({ data }) => data.replicaId === id)?.position ?? -1;
