import { beforeAll, expect, test } from '@jest/globals';
import type { CostView } from '@davit/contracts';
import { billedBy, booksAgree, costOf, dollarsOf } from '../../books.js';
import { failedAudits } from '../../report.js';
import { dropProjections } from '../projections.js';
import { SERVICES } from '../rig.js';
import type { Stage } from './stage.js';

/** Estimated before it was billed: its first moments were held at the quote, which was too low. */
const BILLED_ABOVE_QUOTE = ['default/dearer', 'default/drained'];

export function costCases(stage: Stage): void {
  let report: CostView;
  beforeAll(async () => {
    const { rig, market } = stage();
    await rig.world.clearFaults();
    const deployments = await rig.client.deployments();
    await Promise.all(deployments.map(({ tenant, name }) => market.remove(`${tenant}/${name}`)));
    report = await costOf(market.front, { by: 'replica' });
  });

  test('is what the outside’s own ledger says, machine by machine: confirmed never above it, but for the time of one look, and held never below it', async () => {
    const { rig, market } = stage();
    const { machines } = await rig.world.ledger();
    const requested = (await market.log()).flatMap((event) =>
      event.type === 'davit.replica.requested' ? [event.data] : [],
    );
    const wrong = requested.flatMap(({ replicaId, externalKey, deployment }) => {
      const own = machines.filter(({ owner }) => owner === `sky:${externalKey}`);
      const told = sumOf(report.rows.filter(({ replica }) => replica === replicaId));
      const bounds = BILLED_ABOVE_QUOTE.includes(deployment) ? { ...told, held: Infinity } : told;
      return booksAgree(bounds, own) ? [] : [{ replicaId, ...told, billed: billedBy(own) }];
    });
    expect(wrong).toEqual([]);
    const whole = dollarsOf(report);
    expect(sumOf([report.total])).toMatchObject(whole);
    expect(whole.confirmed).toBeGreaterThan(0);
  });

  test('of a launch that never made a machine is nothing, whatever was asked for', async () => {
    const { market } = stage();
    const [failed] = await market.events('davit.replica.failed', 'default/raced');
    const rows = report.rows.filter(({ replica }) => replica === failed?.data.replicaId);
    expect(sumOf(rows).confirmed).toBe(0);
  });

  test('tells bill and estimate apart', () => {
    const row = report.rows.find(({ replica }) => replica?.startsWith('default/dearer-'));
    expect(row?.figures).toMatchObject([{ currency: 'USD', deviation: { percent: expect.stringMatching(/^\+?50/) } }]);
  });

  test('cites the events that each figure rests on, and they are there', async () => {
    const { market } = stage();
    const positions = new Map((await market.log()).map((event) => [event.position, event]));
    const rows = report.rows.filter(({ machines }) => machines > 0);
    expect(rows.length).toBeGreaterThan(0);
    for (const { replica, evidence } of rows) {
      expect(evidence.held.positions.length).toBeGreaterThan(0);
      for (const position of [...evidence.held.positions, ...evidence.confirmed.positions])
        expect(JSON.stringify(positions.get(position))).toContain(keyOf(replica));
    }
  });

  test('law-01: is the same after every service was killed and every projection dropped and rebuilt', async () => {
    const { rig, market } = stage();
    await Promise.all(SERVICES.map((service) => rig.system.killService(service)));
    expect((await dropProjections(rig)).length).toBeGreaterThan(0);
    await Promise.all(SERVICES.map((service) => rig.system.restartService(service)));
    const after = await market.until('the front door has read the log again', async () => {
      const answer = await costOf(market.front, { by: 'replica' }).catch(() => undefined);
      return answer && answer.position >= report.position ? answer : undefined;
    });
    expect({ ...after, position: 0 }).toEqual({ ...report, position: 0 });
    expect(await failedAudits(rig.system.urls)).toEqual([]);
  });

  test('is printed by deployment, tenant and day', async () => {
    const { market } = stage();
    const byTenant = await market.cli(['cost', '--by', 'tenant']);
    expect(byTenant).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/research/) });
    const byDay = await market.cli(['--json', 'cost', '--by', 'day']);
    expect(sumOf([(JSON.parse(byDay.stdout) as CostView).total])).toEqual(sumOf([report.total]));
  });
}

/** USD of some rows. What was held and is known since to have been no machine is taken off. */
function sumOf(rows: readonly CostView['rows'][number][]): { readonly confirmed: number; readonly held: number } {
  const figures = rows.flatMap((row) => row.figures);
  return {
    confirmed: figures.reduce((sum, { confirmed }) => sum + Number(confirmed), 0),
    held: figures.reduce((sum, { held, takenBack }) => sum + Number(held) - Number(takenBack), 0),
  };
}

/** Part of a replica's id that its events and those of its resource share. */
const keyOf = (replica: string | null): string => replica ?? 'no replica';
