import type { MetricDefinition } from '@davit/service-kit';
import { loadSources } from '../../scripts/docs/load.mjs';

/** What each service's `/metrics` has to show, and what `/metrics/fleet` of the prober does. */
export interface Definitions {
  readonly services: ReadonlyMap<string, readonly MetricDefinition[]>;
  readonly fleet: readonly MetricDefinition[];
  /** All of them, by name. */
  readonly byName: ReadonlyMap<string, MetricDefinition>;
}

export async function loadDefinitions(): Promise<Definitions> {
  const { commonMetrics, fleetMetrics, services } = await loadSources('src');
  const all = [...commonMetrics, ...services.flatMap(({ metrics }) => metrics), ...fleetMetrics];
  return {
    services: new Map(services.map(({ name, metrics }) => [name, [...commonMetrics, ...metrics]])),
    fleet: fleetMetrics,
    byName: new Map(all.map((definition) => [definition.name, definition])),
  };
}
