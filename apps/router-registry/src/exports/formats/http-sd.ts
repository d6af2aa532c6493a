import { Piece } from '../body.js';
import { type AliasRoutes, type RouteEndpoint, type RouteTable, authority } from '../table.js';

/** One scrape target of Prometheus (https://prometheus.io/docs/prometheus/latest/http_sd/). */
export type HttpSdGroup = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/** Aliases of each replica, sorted as those of a table are: a server is listed by the first of its own. */
type Names = Map<string, readonly string[]>;

/**
 * Every model server that has a route, as targets of Prometheus: each once, whatever the number of its aliases. The list is always
 * whole, and empty only when nothing is routed.
 */
export function httpSd({ aliases }: RouteTable): readonly HttpSdGroup[] {
  const names: Names = new Map();
  for (const routes of aliases) join(names, routes);
  return aliases.flatMap((routes) => groupsOf(routes, names));
}

const [OPEN, COMMA, CLOSE] = [new Piece('['), new Piece(','), new Piece(']')];

/**
 * The same as JSON, of one table after the other. What one alias comes to is kept: made anew are those that changed, and those that
 * share a server with them.
 */
export class HttpSdList {
  private readonly names: Names = new Map();
  private readonly made = new Map<string, { readonly routes: AliasRoutes; readonly piece: Piece }>();

  pieces({ aliases }: RouteTable): readonly Piece[] {
    const present = new Map(aliases.map((routes) => [routes.alias, routes]));
    for (const alias of this.renamed(present)) {
      const routes = present.get(alias);
      if (routes) this.made.set(alias, { routes, piece: pieceOf(groupsOf(routes, this.names)) });
      else this.made.delete(alias);
    }
    const lists = aliases.flatMap(({ alias }) => this.made.get(alias)?.piece ?? []);
    const filled = lists.filter(({ bytes }) => bytes.length > 0);
    return [OPEN, ...filled.flatMap((list, index) => (index === 0 ? [list] : [COMMA, list])), CLOSE];
  }

  /** Brings the names up to date; returns the aliases of which a server came, went, or has other names. */
  private renamed(present: ReadonlyMap<string, AliasRoutes>): ReadonlySet<string> {
    const touched = new Set<string>();
    for (const [alias, { routes }] of this.made) {
      if (present.get(alias) === routes) continue;
      touched.add(alias);
      for (const name of leave(this.names, routes)) touched.add(name);
    }
    for (const routes of present.values()) {
      if (this.made.get(routes.alias)?.routes === routes) continue;
      touched.add(routes.alias);
      for (const name of join(this.names, routes)) touched.add(name);
    }
    return touched;
  }
}

/** Adds an alias to the names of its servers; returns the others that they have. */
const join = (names: Names, { alias, endpoints }: AliasRoutes): readonly string[] =>
  endpoints.flatMap(({ target: { replica } }) => {
    const others = names.get(replica) ?? [];
    names.set(replica, others.length === 0 ? [alias] : [...others, alias].sort());
    return others;
  });

/** Takes it away again. */
const leave = (names: Names, { alias, endpoints }: AliasRoutes): readonly string[] =>
  endpoints.flatMap(({ target: { replica } }) => {
    const others = (names.get(replica) ?? []).filter((name) => name !== alias);
    if (others.length === 0) names.delete(replica);
    else names.set(replica, others);
    return others;
  });

const groupsOf = (routes: AliasRoutes, namesOf: Names): readonly HttpSdGroup[] =>
  routes.endpoints.flatMap((endpoint) => {
    const names = namesOf.get(endpoint.target.replica) ?? [];
    return names[0] === routes.alias ? [groupOf(routes, endpoint, names)] : [];
  });

const pieceOf = (groups: readonly HttpSdGroup[]): Piece =>
  new Piece(groups.map((group) => JSON.stringify(group)).join(','));

function groupOf(routes: AliasRoutes, endpoint: RouteEndpoint, names: readonly string[]): HttpSdGroup {
  const { target, state, tls, path, weight, load } = endpoint;
  const labels: Record<string, string> = {
    __scheme__: tls ? 'https' : 'http',
    __metrics_path__: `${path}/metrics`,
    __meta_davit_tenant: routes.tenant,
    __meta_davit_model: routes.model,
    __meta_davit_deployment: target.deployment,
    __meta_davit_replica: target.replica,
    __meta_davit_revision: String(target.revision),
    __meta_davit_state: state,
    __meta_davit_weight: String(weight),
    __meta_davit_snapshot: String(routes.snapshot),
    ...(target.generation === undefined ? {} : { __meta_davit_generation: String(target.generation) }),
    ...(target.price ? { __meta_davit_price: `${target.price.amount} ${target.price.currency}` } : {}),
    ...(load?.running == null ? {} : { __meta_davit_running: String(load.running) }),
    ...(load?.waiting == null ? {} : { __meta_davit_waiting: String(load.waiting) }),
  };
  for (const [name, value] of Object.entries(target.labels ?? {})) {
    labels[`__meta_davit_label_${name.replace(/[^A-Za-z0-9_]/g, '_')}`] = value;
  }
  return { targets: [authority(endpoint)], labels: { ...labels, __meta_davit_aliases: `,${names.join(',')},` } };
}
