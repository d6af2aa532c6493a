import type { EventOf, RecordedEvent } from '@davit/contracts';
import type { RouteState } from './state.js';

function isRouteEvent(event: RecordedEvent): event is EventOf<'route'> {
  return event.type.startsWith('davit.route.');
}

/** Folds one event into the route table of an alias. */
export function evolveRoute(state: RouteState | undefined, event: RecordedEvent): RouteState | undefined {
  if (!isRouteEvent(event)) return state;
  const { alias } = event.data;
  const before: RouteState = state ?? {
    alias,
    tenant: event.tenant,
    snapshot: 0,
    targets: [],
    draining: [],
    digest: null,
    version: 0,
  };
  const next = { ...before, version: event.version };
  switch (event.type) {
    case 'davit.route.registered': {
      const { target } = event.data;
      const targets = [...without(before.targets, target.replica), target].sort(byReplica);
      return { ...next, targets, draining: without(before.draining, target.replica) };
    }
    case 'davit.route.withdrawn': {
      const { replica, drainUntil } = event.data;
      const targets = without(before.targets, replica);
      const left = before.targets.find((target) => target.replica === replica);
      if (drainUntil === undefined || !left) return { ...next, targets };
      const draining = [...without(before.draining, replica), { ...left, drainUntil }].sort(byReplica);
      return { ...next, targets, draining };
    }
    case 'davit.route.drained':
      return { ...next, draining: without(before.draining, event.data.replica) };
    case 'davit.route.snapshot-published': {
      const { snapshot, targets, draining = [], digest } = event.data;
      return { ...next, snapshot, targets, draining, digest };
    }
  }
}

type Named = { readonly replica: string };

const without = <Target extends Named>(targets: readonly Target[], replica: string): readonly Target[] =>
  targets.filter((target) => target.replica !== replica);

export const byReplica = (a: Named, b: Named): number => (a.replica < b.replica ? -1 : 1);
