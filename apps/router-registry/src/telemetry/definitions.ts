import type { RouteState } from '@davit/domain';
import type { MetricDefinition, ModelMetrics } from '@davit/service-kit';

export const ROUTE_SNAPSHOT: MetricDefinition<'alias'> = {
  type: 'gauge',
  name: 'davit_route_snapshot',
  help: 'Number of the present snapshot of an alias; a reader that shows a smaller one is behind',
  labels: { alias: 'open' },
};
export const ROUTE_TARGETS: MetricDefinition<'alias' | 'state'> = {
  type: 'gauge',
  name: 'davit_route_targets',
  help: 'Targets of an alias: those that take new requests, and those that finish old ones',
  labels: { alias: 'open', state: ['active', 'draining'] },
};

export const METRICS: readonly MetricDefinition[] = [ROUTE_SNAPSHOT, ROUTE_TARGETS];

/** Routes as the read model has them: every instance shows the same. */
export const routeModelMetrics: ModelMetrics = {
  definitions: METRICS,
  async read(model) {
    const routes = (await model.list<RouteState>('route')).map(({ document }) => document);
    return {
      [ROUTE_SNAPSHOT.name]: routes.map(({ alias, snapshot }) => ({ labels: { alias }, value: snapshot })),
      [ROUTE_TARGETS.name]: routes.flatMap(({ alias, targets, draining }) => [
        { labels: { alias, state: 'active' }, value: targets.length },
        { labels: { alias, state: 'draining' }, value: draining.length },
      ]),
    };
  },
};
