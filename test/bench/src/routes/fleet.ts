import { type NewEvent, parseDeployment, stream } from '@davit/contracts';
import type { EventLog, StreamWrite } from '@davit/event-log';

/** How many deployments, each with so many replicas, all of them proven. */
export type FleetSize = { readonly deployments: number; readonly replicas: number };

const TENANT = 'default';
const EVIDENCE = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
/** One append holds no more than this many streams. */
const STREAMS_AT_ONCE = 150;

/** Replica `ordinal` of deployment `name`. */
export const replicaOf = (name: string, ordinal: number): string => `${TENANT}/${name}-1-${ordinal}-1`;
export const aliasOf = (name: string): string => `${TENANT}/${name}`;
/** `many-7` → an address in the seventh network. */
const urlOf = (name: string, ordinal: number): string =>
  `http://10.${Number(name.split('-').at(-1)) % 250}.${Math.floor(ordinal / 200)}.${(ordinal % 200) + 1}:8000`;

/** Writes the past of a fleet that serves, as the log would have it. Returns the names of its deployments. */
export async function writeFleet(log: EventLog, prefix: string, size: FleetSize): Promise<readonly string[]> {
  const names = Array.from({ length: size.deployments }, (_, index) => `${prefix}-${index}`);
  for (const name of names) {
    const writes = [
      deploymentOf(name),
      ...Array.from({ length: size.replicas }, (_, ordinal) => pastOf(name, ordinal)).flat(),
    ];
    for (let from = 0; from < writes.length; from += STREAMS_AT_ONCE) {
      const [first, ...rest] = writes.slice(from, from + STREAMS_AT_ONCE);
      if (first) await log.append([first, ...rest], { tenant: TENANT, service: 'bench' });
    }
  }
  return names;
}

/** What the prober says of a replica that it finds hung, or well again. */
export function verdict(name: string, ordinal: number, ready: boolean): StreamWrite {
  const replicaId = replicaOf(name, ordinal);
  const url = urlOf(name, ordinal);
  const event: NewEvent = ready
    ? { type: 'davit.runtime.became-ready', data: { replicaId, url, servedModel: name, evidence: EVIDENCE } }
    : {
        type: 'davit.runtime.became-unready',
        data: { replicaId, url, reason: 'hung', detail: 'bench', consecutiveFailures: 1 },
      };
  return one(stream.runtime(replicaId), event);
}

function deploymentOf(name: string): StreamWrite {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name, labels: { team: 'search' } },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: name },
      runtime: { engine: 'vllm' },
      compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const intentId = '00000000-0000-7000-8000-000000000001';
  const data = { intentId, generation: 1, revision: 1, templateDigest: '0'.repeat(64), spec: parsed.deployment };
  return one(stream.deployment(aliasOf(name)), { type: 'davit.deployment.declared', data });
}

function pastOf(name: string, ordinal: number): readonly StreamWrite[] {
  const replicaId = replicaOf(name, ordinal);
  const externalKey = `dv-${name}-${ordinal}`;
  const url = urlOf(name, ordinal);
  return [
    one(
      stream.replica(replicaId),
      {
        type: 'davit.replica.requested',
        data: {
          ...{ replicaId, deployment: aliasOf(name), revision: 1, ordinal, incarnation: 1, externalKey },
          ...{ mode: 'elastic', adapter: 'skypilot', servedName: name, reason: 'bench', replaces: null },
        },
      },
      {
        type: 'davit.replica.launch-requested',
        data: { replicaId, attempt: 1, deadlineAt: '2099-01-01T00:00:00.000Z' },
      },
      { type: 'davit.replica.ready', data: { replicaId, url, servedModel: name, placement: null } },
    ),
    verdict(name, ordinal, true),
  ];
}

const one = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]): StreamWrite => ({
  stream: name,
  expectedVersion: 'any',
  events,
});
