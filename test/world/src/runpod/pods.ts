import { type Cloud, type Machine } from '../cloud/cloud.js';
import { empty, isObject, json, objectBody, type WireRequest, type WireResponse } from '../http/wire.js';
import { problem } from './rules.js';

const MAX_LIMIT = 1_000;

/**
 * `/v2/pods`: every machine at RunPod, whoever rented it and however (https://docs.runpod.io/api-reference-v2/pods/list-pods).
 * Newer servers list in pages, by `limit` and `cursor`.
 */
export async function podRoutes(cloud: Cloud, request: WireRequest, id?: string): Promise<WireResponse> {
  const { method, url } = request;
  const machines = cloud.running().filter((machine) => machine.cloud === 'runpod');
  if (id === undefined || id === '') {
    if (method === 'POST') return rent(cloud, request);
    return method === 'GET' ? list(machines, url.searchParams) : notOffered();
  }
  const machine = machines.find((candidate) => candidate.id === id);
  if (!machine) return problem(404, 'Not Found', 'resource not found');
  if (method === 'GET') return json(200, pod(machine));
  if (method !== 'DELETE') return notOffered();
  await cloud.end(machine, 'terminated through the RunPod API');
  return empty(204);
}

/** Rents one machine; without stock the status is that of conflicting rules, and only the text tells them apart. */
async function rent(cloud: Cloud, request: WireRequest): Promise<WireResponse> {
  const body = objectBody(request.body) ?? {};
  const gpu = isObject(body['gpu']) ? body['gpu'] : {};
  const { count = 1 } = gpu;
  if (typeof body['name'] !== 'string' || typeof gpu['id'] !== 'string' || typeof count !== 'number')
    return problem(422, 'Unprocessable Entity', 'Request validation failed.', ['name and gpu.id are required']);
  const sites: unknown = body['dataCenterIds'];
  const outcome = await cloud.create({
    name: body['name'],
    cloud: 'runpod',
    accelerator: gpu['id'],
    gpuCount: count,
    tier: body['cloud'] === 'COMMUNITY' ? 'COMMUNITY' : 'SECURE',
    place: Array.isArray(sites) && typeof sites[0] === 'string' ? sites[0] : undefined,
    owner: `runpod:${body['name']}`,
    image: typeof body['image'] === 'string' ? body['image'] : null,
  });
  if (outcome.kind === 'refused') {
    const text = 'There are no longer any instances available with the requested specifications.';
    return problem(400, 'Bad Request', text);
  }
  cloud.boot(outcome.machine);
  return json(201, pod(outcome.machine));
}

const notOffered = (): WireResponse => problem(405, 'Method Not Allowed', 'not offered');

function list(machines: readonly Machine[], parameters: URLSearchParams): WireResponse {
  const limit = Number(parameters.get('limit') ?? MAX_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    return problem(422, 'Unprocessable Entity', 'Request validation failed.', ['limit: must be from 1 to 1000']);
  const cursor = parameters.get('cursor');
  const after = cursor === null ? -1 : machines.findIndex(({ id }) => id === cursor);
  if (cursor !== null && after === -1) return problem(400, 'Bad Request', 'the cursor is not valid');
  const page = machines.slice(after + 1, after + 1 + limit);
  const hasNextPage = after + 1 + limit < machines.length;
  return json(200, {
    pods: page.map(pod),
    pagination: { hasNextPage, nextCursor: hasNextPage ? (page.at(-1)?.id ?? null) : null },
  });
}

const pod = (machine: Machine): object => {
  const isRunning = machine.phase === 'running';
  return {
    id: machine.id,
    name: machine.name,
    image: machine.image,
    status: isRunning ? 'RUNNING' : 'PROVISIONING',
    cost: machine.pricePerHour,
    gpu: { id: machine.accelerator, count: machine.gpuCount },
    dataCenterId: machine.region,
    runtime: isRunning
      ? { ports: [{ private: 8000, public: machine.address.port, type: 'tcp', ip: machine.address.host }] }
      : null,
    createdAt: new Date(machine.createdAtMs).toISOString(),
  };
};
