import { type WorldClock } from '../clock.js';
import { type Cloud } from '../cloud/cloud.js';
import { bearerOf, json, objectBody, type WireHandler, type WireRequest, type WireResponse } from '../http/wire.js';
import { datacenters, gpus } from './catalog.js';
import { graphqlPods, type RunPodAccount } from './graphql-pods.js';
import { graphql } from './graphql.js';
import { podRoutes } from './pods.js';
import { gate, problem, RateLimit, type RunPodOptions } from './rules.js';

/** RunPod's GraphQL and REST v2, over the stock and the machines of the world. The options may be turned while it runs. */
export function runPodHandler(cloud: Cloud, clock: WorldClock, options: RunPodOptions): WireHandler {
  const limit = new RateLimit(options);
  const account: RunPodAccount = { pubKey: null };
  return async (request) => {
    const refused = gate(request);
    if (refused) return refused;
    const path = decodeURIComponent(request.url.pathname);
    const presented = bearerOf(request);
    if (path === '/graphql') {
      if (presented !== undefined && presented !== options.apiKey) return json(401, { error: 'Unauthorized' });
      const { refusal } = options.limitGraphql ? limit.hit(clock.nowMs()) : {};
      return refusal ?? queryOf(cloud, account, options, request, presented !== undefined);
    }
    if (presented === undefined) return problem(401, 'Unauthorized', 'missing bearer token');
    if (presented !== options.apiKey) return problem(403, 'Forbidden', 'access denied');
    const { headers, refusal } = limit.hit(clock.nowMs());
    if (refusal) return refusal;
    const reply = await route(cloud, request, path);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
}

async function queryOf(
  cloud: Cloud,
  account: RunPodAccount,
  options: RunPodOptions,
  request: WireRequest,
  known: boolean,
): Promise<WireResponse> {
  const query = objectBody(request.body)?.['query'];
  const pods = known && typeof query === 'string' ? await graphqlPods(cloud, account, query) : undefined;
  return pods ?? graphql(cloud, options, request);
}

async function route(cloud: Cloud, request: WireRequest, path: string): Promise<WireResponse> {
  const [, version, area, kind, id] = path.split('/');
  const { method, url } = request;
  if (version !== 'v2') return problem(404, 'Not Found', 'resource not found');
  if (method === 'GET' && area === 'catalog' && kind === 'gpus') return gpus(cloud, url.searchParams, id);
  if (method === 'GET' && area === 'catalog' && kind === 'datacenters') return datacenters(cloud, url.searchParams, id);
  if (area === 'pods') return podRoutes(cloud, request, kind);
  return problem(404, 'Not Found', 'resource not found');
}
