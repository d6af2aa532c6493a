import type { RecordedEvent } from '@davit/contracts';
import type { Simulation } from '../simulation.js';

/** The last word on a rollout. */
export type RolloutEnd = Extract<
  RecordedEvent,
  { readonly type: `davit.rollout.${'accepted' | 'rejected' | 'rolled-back' | 'refused'}` }
>;

const ENDS: ReadonlySet<string> = new Set(['accepted', 'rejected', 'rolled-back', 'refused']);

export const isEnd = (event: RecordedEvent): event is RolloutEnd => ENDS.has(event.type.replace('davit.rollout.', ''));

/** Templates that production really runs, by the outside's own books: the endpoint that was there first is production. */
export function servingTemplates({ world }: Simulation): readonly string[] {
  const [production] = [...world.vast.store.endpoints.keys()].toSorted((a, b) => a - b);
  const workers = world.vast.truth().workers.filter(({ endpointId }) => endpointId === production);
  return [...new Set(workers.map(({ template }) => template.hash))];
}

/** What production has to run after a rollout has ended so; undefined where it went with its replica, and another comes. */
export function provenTemplate(events: readonly RecordedEvent[], end: RolloutEnd): string | undefined {
  const { rolloutId } = end.data;
  if ('reason' in end.data && (end.data.reason === 'replica-lost' || end.data.reason === 'deployment-deleted'))
    return undefined;
  let hash: string | undefined;
  for (const event of events) {
    if (!('rolloutId' in event.data) || event.data.rolloutId !== rolloutId) continue;
    if (event.type === 'davit.rollout.started') hash = event.data.rollback.templateHash;
    if (event.type === 'davit.rollout.accepted') hash = event.data.template.templateHash;
  }
  return hash;
}

/** Names that more than one endpoint has at this moment. */
export function doubledEndpoints({ world }: Simulation): readonly string[] {
  const names = [...world.vast.store.endpoints.values()].map(({ endpoint_name }) => endpoint_name);
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** What the provider still has, or bills, of anything serverless. */
export function leftAtVast({ world }: Simulation): readonly string[] {
  const { store } = world.vast;
  return [
    ...[...store.endpoints.values()].map(({ endpoint_name }) => `endpoint ${endpoint_name} is left`),
    ...[...store.groups.keys()].map((id) => `workergroup ${id} is left`),
    ...world.vast
      .truth()
      .workers.filter(({ status }) => status !== 'destroying')
      .map(({ id, status }) => `worker ${id} leaked (${status})`),
  ];
}
