import type { CostChange } from '@davit/contracts';
import { type CostMachine, type Meter, heldOn, rateNow, readableMeter } from '@davit/domain';
import type { View } from '../asking/asking.js';
import { machinesIn } from '../cost/machines.js';

/** Prices that one figure cites. */
const MAX_CITED = 100;

/** What each deployment, and what nobody owns in each tenant, came to cost between two moments. */
export async function costsBetween(from: View, to: View, deployment: string | undefined): Promise<CostChange[]> {
  const [before, after] = await Promise.all([from, to].map(({ model }) => machinesIn(model, { deployment })));
  const owners = byOwner(after ?? []);
  const previous = byOwner(before ?? []);
  return [...owners]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([owner, machines]) => costOf(machines, previous.get(owner) ?? [], from.nowMs, to.nowMs));
}

function byOwner(machines: readonly CostMachine[]): ReadonlyMap<string, readonly CostMachine[]> {
  const groups = new Map<string, CostMachine[]>();
  for (const machine of machines) {
    // After all others: no name of a deployment begins so.
    const owner = machine.deployment ?? `~orphans/${machine.tenant}`;
    groups.set(owner, [...(groups.get(owner) ?? []), machine]);
  }
  return groups;
}

function costOf(
  machines: readonly CostMachine[],
  before: readonly CostMachine[],
  fromMs: number,
  toMs: number,
): CostChange[] {
  const [first] = machines;
  const meters = metersOf(machines);
  const { amounts, unpricedMs } = heldOn(meters, fromMs, toMs);
  const hourlyBefore = rateNow(metersOf(before)).amounts;
  const hourlyAfter = rateNow(meters).amounts;
  if (!first || ([amounts, hourlyBefore, hourlyAfter].every(({ length }) => length === 0) && unpricedMs === 0))
    return [];
  const held = meters.filter((meter) => heldOn([meter], fromMs, toMs).amounts.length > 0);
  const positions = [...new Set(held.flatMap((meter) => meter.rates.map(({ position }) => position)))];
  return [
    {
      tenant: first.tenant,
      deployment: first.deployment,
      spent: [...amounts],
      unpricedMs,
      hourlyBefore: [...hourlyBefore],
      hourlyAfter: [...hourlyAfter],
      positions: positions.sort((a, b) => a - b).slice(-MAX_CITED),
    },
  ];
}

/** Of books in disorder what can be read counts (law 10). */
const metersOf = (machines: readonly CostMachine[]): readonly Meter[] =>
  machines.flatMap(({ meter }) => readableMeter(meter) ?? []);
