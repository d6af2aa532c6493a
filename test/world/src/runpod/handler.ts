import { type WorldClock } from '../clock.js';
import { type Cloud, type Machine } from '../cloud/cloud.js';
import { bearerOf, empty, json, type WireHandler, type WireRequest, type WireResponse } from '../http/wire.js';
import { datacenters, gpus } from './catalog.js';
import { graphql } from './graphql.js';
import { gate, problem, RateLimit, type RunPodOptions } from './rules.js';

/** RunPod's GraphQL and REST v2, over the stock and the machines of the world. */
export function runPodHandler(cloud: Cloud, clock: WorldClock, options: RunPodOptions): WireHandler {
  const limit = new RateLimit(options.perMinute);
  return async (request) => {
    const refused = gate(request);
    if (refused) return refused;
    const path = decodeURIComponent(request.url.pathname);
    const presented = bearerOf(request);
    if (path === '/graphql') {
      if (presented !== undefined && presented !== options.apiKey) return json(401, { error: 'Unauthorized' });
      return graphql(cloud.stock, request);
    }
    if (presented === undefined) return problem(401, 'Unauthorized', 'missing bearer token');
    if (presented !== options.apiKey) return problem(403, 'Forbidden', 'access denied');
    const { headers, refusal } = limit.hit(clock.nowMs());
    if (refusal) return refusal;
    const reply = await route(cloud, request, path);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
}

async function route(cloud: Cloud, request: WireRequest, path: string): Promise<WireResponse> {
  const [, version, area, kind, id] = path.split('/');
  const { method, url } = request;
  if (version !== 'v2') return problem(404, 'Not Found', 'resource not found');
  if (method === 'GET' && area === 'catalog' && kind === 'gpus') return gpus(cloud.stock, url.searchParams, id);
  if (method === 'GET' && area === 'catalog' && kind === 'datacenters')
    return datacenters(cloud.stock, url.searchParams, id);
  if (area !== 'pods') return problem(404, 'Not Found', 'resource not found');
  const pods = cloud.running().filter((machine) => machine.cloud === 'runpod');
  if (kind === undefined || kind === '')
    return method === 'GET' ? json(200, { pods: pods.map(pod) }) : problem(405, 'Method Not Allowed', 'not offered');
  const machine = pods.find((candidate) => candidate.id === kind);
  if (!machine) return problem(404, 'Not Found', 'resource not found');
  if (method === 'DELETE') {
    await cloud.end(machine, 'terminated through the RunPod API');
    return empty(204);
  }
  return method === 'GET' ? json(200, pod(machine)) : problem(405, 'Method Not Allowed', 'not offered');
}

const pod = (machine: Machine): object => ({
  id: machine.id,
  name: machine.name,
  image: machine.image,
  status: machine.phase === 'running' ? 'RUNNING' : 'PROVISIONING',
  cost: machine.pricePerHour,
  gpu: { id: machine.accelerator, count: machine.gpuCount },
  dataCenterId: machine.region,
  createdAt: new Date(machine.createdAtMs).toISOString(),
});
