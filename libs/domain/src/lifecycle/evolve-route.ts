import type { EventOf, RecordedEvent } from '@davit/contracts';
import type { RouteState } from './state.js';

function isRouteEvent(event: RecordedEvent): event is EventOf<'route'> {
  return event.type.startsWith('davit.route.');
}

/** Folds one event into the route table of an alias. */
export function evolveRoute(state: RouteState | undefined, event: RecordedEvent): RouteState | undefined {
  if (!isRouteEvent(event)) return state;
  const { alias } = event.data;
  const before = state ?? { alias, tenant: event.tenant, snapshot: 0, targets: [], version: 0 };
  const others = (replica: string) => before.targets.filter((target) => target.replica !== replica);
  const version = event.version;
  switch (event.type) {
    case 'davit.route.registered': {
      const { target } = event.data;
      const targets = [...others(target.replica), target].sort((a, b) => (a.replica < b.replica ? -1 : 1));
      return { ...before, targets, version };
    }
    case 'davit.route.withdrawn':
      return { ...before, targets: others(event.data.replica), version };
    case 'davit.route.snapshot-published':
      return { ...before, snapshot: event.data.snapshot, targets: event.data.targets, version };
  }
}
