import { isIP } from 'node:net';
import { type AliasRoutes, type RouteEndpoint, type RouteTable } from '../table.js';

const TYPE = 'type.googleapis.com/envoy.config';
export const CLUSTER_TYPE = `${TYPE}.cluster.v3.Cluster`;
export const ENDPOINT_TYPE = `${TYPE}.endpoint.v3.ClusterLoadAssignment`;

type Resource = { readonly '@type': string } & Readonly<Record<string, unknown>>;

/** Answer to a DiscoveryRequest over REST, and the content of a file that Envoy watches: the same message in JSON. */
export type DiscoveryResponse = {
  readonly version_info: string;
  readonly type_url: string;
  readonly nonce: string;
  readonly resources: readonly Resource[];
};

/** How Envoy comes to the endpoints of a cluster: the name of a cluster of its own that leads here, or a file beside this one. */
export type EndpointSource = { readonly apiCluster: string } | { readonly file: string };

const respond = ({ position }: RouteTable, type: string, resources: readonly Resource[]): DiscoveryResponse => ({
  version_info: String(position),
  type_url: type,
  nonce: String(position),
  resources,
});

function chosen({ aliases }: RouteTable, names: readonly string[]): readonly AliasRoutes[] {
  if (names.length === 0) return aliases;
  const wanted = new Set(names);
  return aliases.filter(({ name }) => wanted.has(name));
}

/** @param names clusters that are asked for; none for all */
export const endpointDiscovery = (table: RouteTable, names: readonly string[] = []): DiscoveryResponse =>
  respond(
    table,
    ENDPOINT_TYPE,
    chosen(table, names).map((routes) => ({ '@type': ENDPOINT_TYPE, ...assignment(routes) })),
  );

export const clusterDiscovery = (
  table: RouteTable,
  source: EndpointSource,
  names: readonly string[] = [],
): DiscoveryResponse =>
  respond(
    table,
    CLUSTER_TYPE,
    chosen(table, names).map((routes) => ({ '@type': CLUSTER_TYPE, ...cluster(routes, source) })),
  );

/** Endpoints that are discovered must be IP addresses; a cluster with names is resolved by Envoy itself. */
function cluster(routes: AliasRoutes, source: EndpointSource): Record<string, unknown> {
  const { name, endpoints } = routes;
  const hasNames = endpoints.some(({ host }) => isIP(host) === 0);
  const tls = endpoints.find((endpoint) => endpoint.tls);
  return {
    name,
    connect_timeout: '5s',
    lb_policy: 'LEAST_REQUEST',
    ...(hasNames
      ? { type: 'STRICT_DNS', load_assignment: assignment(routes) }
      : { type: 'EDS', eds_cluster_config: { eds_config: discoverySource(source) } }),
    ...(tls === undefined ? {} : { transport_socket: tlsSocket(tls.host) }),
  };
}

const discoverySource = (source: EndpointSource): Record<string, unknown> =>
  'file' in source
    ? { resource_api_version: 'V3', path_config_source: { path: source.file } }
    : {
        resource_api_version: 'V3',
        api_config_source: {
          api_type: 'REST',
          transport_api_version: 'V3',
          cluster_names: [source.apiCluster],
          refresh_delay: '1s',
          request_timeout: '1s',
        },
      };

const tlsSocket = (host: string): Record<string, unknown> => ({
  name: 'envoy.transport_sockets.tls',
  typed_config: {
    '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
    sni: host,
  },
});

const assignment = ({ name, endpoints }: AliasRoutes): Record<string, unknown> => ({
  cluster_name: name,
  endpoints: [{ lb_endpoints: endpoints.map(lbEndpoint) }],
});

function lbEndpoint({ target, state, host, port, weight }: RouteEndpoint): Record<string, unknown> {
  return {
    endpoint: { address: { socket_address: { address: host, port_value: port } } },
    // Without a weight of at least one Envoy knows no endpoint; one that is to get nothing is draining to it.
    health_status: state === 'draining' || weight === 0 ? 'DRAINING' : 'HEALTHY',
    load_balancing_weight: Math.max(1, weight),
    metadata: {
      filter_metadata: {
        davit: {
          replica: target.replica,
          deployment: target.deployment,
          model: target.model,
          generation: target.generation ?? 0,
        },
      },
    },
  };
}
