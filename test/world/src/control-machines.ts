import { type Machine } from './cloud/cloud.js';
import { badRequest, json, type JsonObject, type WireResponse } from './http/wire.js';
import { serverChange } from './model-server/config.js';
import { isModelFault, MODEL_FAULT_KINDS } from './model-server/faults.js';
import { trafficFrom } from './model-server/traffic.js';
import { type World } from './world.js';

/** A machine as the control interface shows it. */
export const describe = (machine: Machine): object => ({
  id: machine.id,
  name: machine.name,
  cloud: machine.cloud,
  region: machine.region,
  accelerator: machine.accelerator,
  gpuCount: machine.gpuCount,
  owner: machine.owner,
  image: machine.image,
  pricePerHour: machine.pricePerHour,
  phase: machine.phase,
  createdAtMs: machine.createdAtMs,
  endedAtMs: machine.endedAtMs,
  endReason: machine.endReason,
  address: `${machine.address.host}:${machine.address.port}`,
  server: machine.server ? (machine.serverExited ? 'exited' : 'started') : 'none',
  profile: machine.serverConfig?.profile ?? null,
  version: machine.serverConfig?.version ?? null,
  servedModelNames: machine.serverConfig?.servedModelNames ?? [],
});

/** Does to one machine, or to its model server, what the path says. */
export async function onMachine(
  world: World,
  id: string,
  action: string,
  body: JsonObject | undefined,
): Promise<WireResponse> {
  const machine = world.cloud.find(id);
  if (!machine) return json(404, { error: `no machine ${id}` });
  switch (action) {
    case 'kill':
      await world.cloud.end(machine, 'killed at the provider');
      return json(200, describe(machine));
    case 'price':
      return reprice(world, machine, body?.['pricePerHour']);
    case 'fault':
      return setFaults(world, machine, body);
    case 'load':
      return setLoad(world, machine, body);
    case 'restart':
      return restart(world, machine, body ?? {});
    default:
      return badRequest('expected …/kill, …/price, …/fault, …/load or …/restart');
  }
}

function reprice(world: World, machine: Machine, pricePerHour: unknown): WireResponse {
  if (typeof pricePerHour !== 'number' || pricePerHour < 0)
    return badRequest('pricePerHour must be a number of at least 0');
  const done = world.cloud.reprice(machine, pricePerHour);
  return done ? json(200, describe(machine)) : json(409, { error: `machine ${machine.id} is gone` });
}

/** One fault, or several at once as `{"faults": […]}`; either replaces those before. */
function setFaults(world: World, machine: Machine, body: JsonObject | undefined): WireResponse {
  const listed: unknown = body?.['faults'];
  const faults: readonly unknown[] = Array.isArray(listed) ? listed : [body];
  if (!faults.every(isModelFault))
    return badRequest(`expected {"kind"} or {"faults": [{"kind"}]}, kind one of ${MODEL_FAULT_KINDS.join(', ')}`);
  return served(machine, world.cloud.setFault(machine, ...faults));
}

function setLoad(world: World, machine: Machine, body: JsonObject | undefined): WireResponse {
  const traffic = trafficFrom(body);
  return typeof traffic === 'string' ? badRequest(traffic) : served(machine, world.cloud.setTraffic(machine, traffic));
}

async function restart(world: World, machine: Machine, body: JsonObject): Promise<WireResponse> {
  const change = serverChange(body);
  if (typeof change === 'string') return badRequest(change);
  return served(machine, await world.cloud.restartServer(machine, change));
}

const served = (machine: Machine, done: boolean): WireResponse =>
  done ? json(200, describe(machine)) : json(409, { error: `machine ${machine.id} has no model server` });
