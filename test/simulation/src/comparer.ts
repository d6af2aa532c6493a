import { type LifecycleDocument, canonicalJson, lifecycleProjection } from '@davit/domain';
import type { Random } from '@davit/ports';
import { differences } from '@davit/projection';
import { COMPARED, LOCAL_PRINCIPAL, type Principal, type View, Views, diffOf, shownIn } from '@davit/spec-api';
import type { Simulation } from './simulation.js';

const PAIRS = 2;
const EVERYTHING = { limit: Number.MAX_SAFE_INTEGER };

/**
 * What a comparison of two random moments of a run says against what the folds up to both say: every changed field is told, none
 * that is the same, each by an event in between; a moment is like itself; and who sees one tenant is told that tenant's share.
 */
export async function wrongDiffs(simulation: Simulation, random: Random): Promise<readonly string[]> {
  const { log, clock } = simulation;
  const model = simulation.service('orchestrator').stores.store(lifecycleProjection);
  const views = new Views({ log, model, clock });
  const head = await log.head();
  const faults: string[] = [];
  for (let pair = 0; pair < PAIRS && head > 0; pair++) {
    const ends = [1, 2].map(() => 1 + Math.floor(random.next() * head));
    const [from = 1, to = 1] = ends.sort((a, b) => a - b);
    const at = (principal: Principal, position: number): Promise<View> =>
      views.asking(principal).at(String(position), 'at');
    const [before, after] = [await at(LOCAL_PRINCIPAL, from), await at(LOCAL_PRINCIPAL, to)];
    const { items, events } = await diffOf(before, after, EVERYTHING);
    const told = items.map(({ kind, name, fields }) => ({
      thing: `${kind} ${name}`,
      fields: fields.map(({ field, before: was, after: is }) => [field, was, is] as const),
    }));
    const real = await realDifferences(before, after);
    const where = `the difference of ${from} and ${to}`;
    if (textOf(told) !== textOf(real)) faults.push(`${where} is not that of the folds up to both`);
    const causes = items.flatMap(({ fields }) => fields.map(({ by }) => by.position));
    if (causes.some((position) => position <= from || position > to))
      faults.push(`${where} cites an event of another time`);
    if (events !== to - from) faults.push(`${where} is of ${events} events`);
    if ((await diffOf(after, after, EVERYTHING)).items.length > 0) faults.push(`${to} is not like itself`);
    const principal: Principal = { actor: 'viewer', role: 'viewer', tenants: ['default'] };
    const own = await diffOf(await at(principal, from), await at(principal, to), EVERYTHING);
    const share = items.filter(({ kind, name, tenant }) => tenant === 'default' && isNamed(kind, name));
    const seen = own.items.filter(({ kind, name }) => isNamed(kind, name));
    if (JSON.stringify(seen) !== JSON.stringify(share)) faults.push(`${where} is another one for who sees one tenant`);
    if (own.items.some(({ tenant }) => tenant !== 'default')) faults.push(`${where} shows another tenant`);
  }
  return faults;
}

/** What nobody owns, and alarms on it, are the fleet's. */
const isNamed = (kind: string, name: string): boolean =>
  kind !== 'orphan' && (kind !== 'alarm' || / default\//.test(name));

type Told = {
  readonly thing: string;
  readonly fields: readonly (readonly [field: string, was: unknown, is: unknown])[];
};

const textOf = (told: readonly Told[]): string =>
  JSON.stringify(
    told
      .map(({ thing, fields }) => [thing, fields.map((field) => canonicalJson(field)).sort()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

async function realDifferences(before: View, after: View): Promise<readonly Told[]> {
  const [were, are] = [await shownOf(before), await shownOf(after)];
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((thing) => {
    const found = differences(were.get(thing) ?? {}, are.get(thing) ?? {});
    return found.length === 0 ? [] : [{ thing, fields: found.map(({ path, from, to }) => [path, from, to] as const) }];
  });
}

async function shownOf({ model }: View): Promise<ReadonlyMap<string, object>> {
  const shown = new Map<string, object>();
  for (const kind of COMPARED)
    for (const { key, document } of await model.list<LifecycleDocument>(kind))
      for (const { kind: of, name, value } of shownIn({ kind, key }, document)) shown.set(`${of} ${name}`, value);
  return shown;
}
