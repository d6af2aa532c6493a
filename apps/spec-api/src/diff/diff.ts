import type { ChangedBy, DiffItem, DiffView, FieldChange, RecordedEvent } from '@davit/contracts';
import { lifecycleProjection } from '@davit/domain';
import { type ChangedThing, ChangeTracker } from '@davit/projection';
import type { View } from '../asking/asking.js';
import { eventsBetween } from '../asking/events-between.js';
import { costsBetween } from './costs.js';
import { COMPARED, type ShownThing, shownIn } from './shown.js';

export interface DiffQuestion {
  /** Key of the deployment whose things alone are wanted. */
  readonly deployment?: string | undefined;
  /** Things at most. */
  readonly limit: number;
}

/** What is other at one moment than at an earlier one, and which event made each difference: a fold of the events in between. */
export async function diffOf(from: View, to: View, { deployment, limit }: DiffQuestion): Promise<DiffView> {
  const tracker = new ChangeTracker({
    definition: lifecycleProjection,
    before: from.model,
    shown: shownIn,
    kinds: COMPARED,
  });
  let events = 0;
  for await (const page of eventsBetween(to.log, from.position, to.position)) {
    await tracker.see(page);
    events += page.length;
  }
  const changed = tracker.changes().flatMap((thing) => itemOf(thing, deployment));
  return {
    from: momentOf(from),
    to: momentOf(to),
    items: changed.slice(0, limit),
    costs: await costsBetween(from, to, deployment),
    left: Math.max(0, changed.length - limit),
    events,
  };
}

const momentOf = ({ position, nowMs }: View): DiffView['from'] => ({ position, at: new Date(nowMs).toISOString() });

function itemOf(changed: ChangedThing, wanted: string | undefined): DiffItem[] {
  const [was, is] = [thingIn(changed, changed.before), thingIn(changed, changed.after)];
  const thing = is ?? was;
  if (!thing || (wanted !== undefined && was?.deployment !== wanted && is?.deployment !== wanted)) return [];
  const { kind, name, tenant, deployment } = thing;
  const fields = changed.fields.map(({ path, from, to, by }): FieldChange => ({
    field: path,
    ...(from === undefined ? {} : { before: from }),
    ...(to === undefined ? {} : { after: to }),
    by: changedBy(by),
  }));
  return [
    {
      kind,
      name,
      tenant,
      deployment: deployment ?? was?.deployment ?? null,
      change: changeOf(was, is),
      fields,
      position: changed.by.position,
    },
  ];
}

const thingIn = ({ kind, name, ref }: ChangedThing, document: ChangedThing['before']): ShownThing | undefined =>
  document && shownIn(ref, document).find((one) => one.kind === kind && one.name === name);

function changeOf(was: ShownThing | undefined, is: ShownThing | undefined): DiffItem['change'] {
  const [existed, exists] = [was?.isOver === false, is?.isOver === false];
  if (existed === exists) return is === undefined || (was === undefined && !exists) ? 'gone' : 'changed';
  return exists ? 'appeared' : 'gone';
}

const changedBy = ({ position, type, time, source, actor }: RecordedEvent): ChangedBy => ({
  position,
  type,
  at: time,
  source,
  actor: actor ?? null,
});
