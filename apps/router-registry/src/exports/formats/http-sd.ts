import { Piece } from '../body.js';
import { type AliasRoutes, type RouteEndpoint, type RouteTable, authority } from '../table.js';

/** One scrape target of Prometheus (https://prometheus.io/docs/prometheus/latest/http_sd/). */
export type HttpSdGroup = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/**
 * Every model server that has a route, as targets of Prometheus: each once, whatever the number of its aliases. The list is always
 * whole, and empty only when nothing is routed.
 */
export function httpSd(table: RouteTable): readonly HttpSdGroup[] {
  const names = namesByReplica(table);
  return table.aliases.flatMap((routes) => groupsOf(routes, names));
}

const [OPEN, COMMA, CLOSE] = [new Piece('['), new Piece(','), new Piece(']')];

/** The same as JSON. What one alias comes to is kept for as long as its routes are the same. */
export function httpSdPieces(table: RouteTable): readonly Piece[] {
  const names = namesByReplica(table);
  const lists = table.aliases.map((routes) => pieceOf(routes, names)).filter(({ bytes }) => bytes.length > 0);
  return [OPEN, ...lists.flatMap((list, index) => (index === 0 ? [list] : [COMMA, list])), CLOSE];
}

type Names = ReadonlyMap<string, readonly string[]>;

/** Sorted, as the aliases of a table are: a server is listed by the first of its own. */
function namesByReplica({ aliases }: RouteTable): Names {
  const names = new Map<string, readonly string[]>();
  for (const { alias, endpoints } of aliases) {
    const alone = [alias];
    for (const { target } of endpoints) {
      const known = names.get(target.replica);
      names.set(target.replica, known ? [...known, alias] : alone);
    }
  }
  return names;
}

const groupsOf = (routes: AliasRoutes, namesOf: Names): readonly HttpSdGroup[] =>
  routes.endpoints.flatMap((endpoint) => {
    const names = namesOf.get(endpoint.target.replica) ?? [];
    return names[0] === routes.alias ? [groupOf(routes, endpoint, names)] : [];
  });

const pieces = new WeakMap<AliasRoutes, { readonly names: string; readonly piece: Piece }>();

function pieceOf(routes: AliasRoutes, namesOf: Names): Piece {
  const names = namesIn(routes, namesOf);
  const known = pieces.get(routes);
  if (known?.names === names) return known.piece;
  const groups = groupsOf(routes, namesOf).map((group) => JSON.stringify(group));
  const piece = new Piece(groups.join(','));
  pieces.set(routes, { names, piece });
  return piece;
}

/** Names of the servers of an alias, one after the other; only its own where they have no other. */
function namesIn({ alias, endpoints }: AliasRoutes, namesOf: Names): string {
  const names = endpoints.map(({ target }) => namesOf.get(target.replica) ?? []);
  const isAlone = names.every((own) => own.length === 1 && own[0] === alias);
  return isAlone ? alias : names.map((own) => own.join(',')).join(' ');
}

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
