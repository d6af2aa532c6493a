import { type RouteTable, authority } from '../table.js';

/** One scrape target of Prometheus (https://prometheus.io/docs/prometheus/latest/http_sd/). */
export type HttpSdGroup = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/**
 * Every model server that has a route, as targets of Prometheus: each once, whatever the number of its aliases. The list is always
 * whole, and empty only when nothing is routed.
 */
export function httpSd({ aliases, position }: RouteTable): readonly HttpSdGroup[] {
  const groups = new Map<string, HttpSdGroup & { readonly names: string[] }>();
  for (const { alias, tenant, model, endpoints } of aliases) {
    for (const endpoint of endpoints) {
      const { target, state, tls, path, weight, load } = endpoint;
      const known = groups.get(target.replica);
      if (known) {
        known.names.push(alias);
        continue;
      }
      const labels: Record<string, string> = {
        __scheme__: tls ? 'https' : 'http',
        __metrics_path__: `${path}/metrics`,
        __meta_davit_tenant: tenant,
        __meta_davit_model: model,
        __meta_davit_deployment: target.deployment,
        __meta_davit_replica: target.replica,
        __meta_davit_revision: String(target.revision),
        __meta_davit_state: state,
        __meta_davit_weight: String(weight),
        __meta_davit_snapshot: String(position),
        ...(target.generation === undefined ? {} : { __meta_davit_generation: String(target.generation) }),
        ...(target.price ? { __meta_davit_price: `${target.price.amount} ${target.price.currency}` } : {}),
        ...(load?.running == null ? {} : { __meta_davit_running: String(load.running) }),
        ...(load?.waiting == null ? {} : { __meta_davit_waiting: String(load.waiting) }),
      };
      for (const [name, value] of Object.entries(target.labels ?? {})) {
        labels[`__meta_davit_label_${name.replace(/[^A-Za-z0-9_]/g, '_')}`] = value;
      }
      groups.set(target.replica, { targets: [authority(endpoint)], labels, names: [alias] });
    }
  }
  return [...groups.values()].map(({ targets, labels, names }) => ({
    targets,
    labels: { ...labels, __meta_davit_aliases: `,${names.join(',')},` },
  }));
}
