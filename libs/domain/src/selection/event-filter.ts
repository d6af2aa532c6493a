import { type EventCategory, type EventType, type RecordedEvent, categoryOf } from '@davit/contracts';
import type { EventSight } from '../access/event-sight.js';
import { deploymentKeyOf } from '../lifecycle/evolve-deployment.js';
import { lifecycleRefs } from '../lifecycle/projection.js';

/** Which events of the log somebody wants, and may see. What is absent leaves everything in; what is there must all hold. */
export interface EventFilter {
  /** What may be seen at all. */
  readonly sight?: EventSight | undefined;
  /** Tenants whose events are wanted; `all` includes those of the fleet. */
  readonly tenants: 'all' | readonly string[];
  readonly categories?: readonly EventCategory[] | undefined;
  readonly types?: readonly EventType[] | undefined;
  /** `<tenant>/<name>`: its own events and those of its replicas, rollouts, resources and routes. */
  readonly deployment?: string | undefined;
  readonly replica?: string | undefined;
}

/** Lets everything through: such a reader sees every position. */
export const isWhole = ({ sight, tenants, categories, types, deployment, replica }: EventFilter): boolean =>
  sight?.isWhole !== false &&
  tenants === 'all' &&
  categories === undefined &&
  types === undefined &&
  deployment === undefined &&
  replica === undefined;

/** The event as it may be seen; undefined where it may not, or is not wanted. */
export function selected(filter: EventFilter, event: RecordedEvent): RecordedEvent | undefined {
  const seen = filter.sight ? filter.sight.of(event) : event;
  return seen && isWanted(filter, seen) ? seen : undefined;
}

function isWanted(filter: EventFilter, event: RecordedEvent): boolean {
  const { tenants, categories, types, deployment, replica } = filter;
  if (tenants !== 'all' && !tenants.includes(event.tenant)) return false;
  if (categories !== undefined && !categories.some((category) => category === eventCategory(event))) return false;
  if (types !== undefined && !types.includes(event.type)) return false;
  if (replica !== undefined && !subjectsOf(event).replicas.includes(replica)) return false;
  return deployment === undefined || subjectsOf(event).deployments.includes(deployment);
}

/** By its type: `davit.replica.ready` is of category `replica`, whatever stream it stands in. */
export const eventCategory = ({ type }: Pick<RecordedEvent, 'type'>): string => type.split('.')[1] ?? '';

interface Subjects {
  readonly deployments: readonly string[];
  readonly replicas: readonly string[];
}

/** Deployments and replicas that an event tells something of. */
export function subjectsOf(event: RecordedEvent): Subjects {
  const deployments = new Set<string>();
  const replicas = new Set<string>();
  for (const { kind, key } of lifecycleRefs(event)) {
    if (kind === 'deployment') deployments.add(key);
    if (kind === 'replica') replicas.add(key);
    if (kind === 'rollout') add(deployments, deploymentOfRollout(key));
  }
  const { data } = event;
  if ('deployment' in data && typeof data.deployment === 'string') deployments.add(data.deployment);
  if (categoryOf(event.stream) === 'intent' && 'about' in data && typeof data.about === 'string') {
    add(deployments, deploymentOfRollout(data.about));
  }
  for (const replica of replicas) add(deployments, deploymentKeyOf(replica));
  return { deployments: [...deployments], replicas: [...replicas] };
}

/** `default/qwen3-8b-2-1` → `default/qwen3-8b`. */
const deploymentOfRollout = (rolloutId: string): string | undefined => /^(.+\/.+)-\d+-\d+$/.exec(rolloutId)?.[1];

function add(set: Set<string>, value: string | undefined): void {
  if (value !== undefined) set.add(value);
}
