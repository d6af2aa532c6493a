import { type Cloud, type Machine } from '../cloud/cloud.js';
import { json, type JsonObject, type WireResponse } from '../http/wire.js';
import { inputOf } from './graphql-input.js';

/** What RunPod keeps of its customer beside the pods. */
export interface RunPodAccount {
  /** SSH keys that every pod accepts. */
  pubKey: string | null;
}

const ACCOUNT_ID = 'user-1';

/**
 * The part of `POST /graphql` that rents: `myself` with its pods and templates, `updateUserSettings`, `podFindAndDeployOnDemand`
 * and `podTerminate`, with the fields that RunPod's Python client 1.10 and SkyPilot 0.14 ask for. Undefined for other queries.
 * A pod gets no SSH address here, for there is no operating system behind it.
 */
export async function graphqlPods(
  cloud: Cloud,
  account: RunPodAccount,
  query: string,
): Promise<WireResponse | undefined> {
  const deploy = inputOf(query, 'podFindAndDeployOnDemand');
  if (deploy) return rent(cloud, deploy);
  const terminate = inputOf(query, 'podTerminate');
  if (terminate) return end(cloud, terminate);
  const settings = inputOf(query, 'updateUserSettings');
  if (settings) account.pubKey = textOf(settings['pubKey']);
  const { pubKey } = account;
  if (settings) return json(200, { data: { updateUserSettings: { id: ACCOUNT_ID, pubKey } } });
  if (!/\bmyself\b/.test(query)) return undefined;
  const pods = podsOf(cloud).map(pod);
  return json(200, { data: { myself: { id: ACCOUNT_ID, pubKey, pods, podTemplates: [], networkVolumes: [] } } });
}

const podsOf = (cloud: Cloud): readonly Machine[] => cloud.running().filter((machine) => machine.cloud === 'runpod');

async function rent(cloud: Cloud, input: JsonObject): Promise<WireResponse> {
  const name = textOf(input['name']);
  const gpuCount = typeof input['gpuCount'] === 'number' ? input['gpuCount'] : 1;
  const place = textOf(input['dataCenterId']);
  const outcome = await cloud.create({
    name,
    cloud: 'runpod',
    accelerator: textOf(input['gpuTypeId']),
    gpuCount,
    ...(place === '' ? {} : { place }),
    owner: `runpod:${name}`,
    image: textOf(input['imageName']),
  });
  if (outcome.kind === 'refused') {
    const message = 'There are no longer any instances available with the requested specifications.';
    return json(200, {
      errors: [{ message, extensions: { code: 'SUPPLY_CONSTRAINT' } }],
      data: { podFindAndDeployOnDemand: null },
    });
  }
  cloud.boot(outcome.machine);
  const { id, image } = outcome.machine;
  const made = { id, imageName: image, env: [], machineId: `m-${id}`, machine: { podHostId: `${id}-host` } };
  return json(200, { data: { podFindAndDeployOnDemand: made } });
}

async function end(cloud: Cloud, input: JsonObject): Promise<WireResponse> {
  const machine = podsOf(cloud).find(({ id }) => id === input['podId']);
  if (!machine) {
    return json(200, {
      errors: [{ message: 'pod not found to terminate', extensions: { code: 'RUNPOD' } }],
      data: null,
    });
  }
  await cloud.end(machine, 'terminated through the RunPod API');
  return json(200, { data: { podTerminate: null } });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const pod = (machine: Machine): object => ({
  id: machine.id,
  name: machine.name,
  imageName: machine.image,
  desiredStatus: 'RUNNING',
  costPerHr: machine.pricePerHour,
  gpuCount: machine.gpuCount,
  containerDiskInGb: 0,
  containerRegistryAuthId: null,
  machineId: `m-${machine.id}`,
  machine: { gpuDisplayName: machine.accelerator },
  vcpuCount: 4 * machine.gpuCount,
  memoryInGb: 16 * machine.gpuCount,
  ports: null,
  uptimeSeconds: 0,
  runtime: null,
});
