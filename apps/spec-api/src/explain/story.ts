import type { EventCategory, EventOf, RecordedEvent, StoryLine } from '@davit/contracts';
import { toldOfDecision, toldOfDeployment, toldOfIntent, toldOfTenant } from './decisions.js';
import { toldOfCapacity, toldOfProvider, toldOfRoute, toldOfRuntime } from './facts.js';
import { toldOfFleet } from './fleet-facts.js';
import { type Told, lineOf } from './line.js';
import { toldOfRollout } from './rollouts.js';
import { foldWaits } from './waits.js';

/** The story that events tell, in the order of the log; each event once, however often it was found. */
export function storyOf(events: readonly RecordedEvent[]): StoryLine[] {
  const byPosition = new Map(events.map((event) => [event.position, event]));
  const inOrder = [...byPosition.values()].sort((a, b) => a.position - b.position);
  return foldWaits(
    inOrder.flatMap((event) => {
      const told = toldOf(event);
      return told ? [lineOf(event, told)] : [];
    }),
  );
}

function toldOf(event: RecordedEvent): Told | null {
  if (isOf(event, 'intent')) return toldOfIntent(event);
  if (isOf(event, 'deployment')) return toldOfDeployment(event);
  if (isOf(event, 'replica')) return toldOfDecision(event);
  if (isOf(event, 'resource') || isOf(event, 'endpoint')) return toldOfProvider(event);
  if (isOf(event, 'runtime')) return toldOfRuntime(event);
  if (isOf(event, 'route')) return toldOfRoute(event);
  if (isOf(event, 'capacity')) return toldOfCapacity(event);
  if (isOf(event, 'tenant')) return toldOfTenant(event);
  if (isOf(event, 'rollout')) return toldOfRollout(event);
  if (isOf(event, 'fleet')) return toldOfFleet(event);
  return null;
}

const isOf = <Category extends EventCategory>(event: RecordedEvent, category: Category): event is EventOf<Category> =>
  event.type.startsWith(`davit.${category}.`);
