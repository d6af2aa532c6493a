import { type NewEvent, parseDeployment, stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';

const KEY = 'default/qwen';

const specification = {
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: 'qwen' },
  spec: {
    model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
    runtime: { engine: 'vllm' },
    compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
  },
};

/** Loopback address of server `index`. */
export const addressOf = (index: number): string => `127.7.${Math.floor(index / 200)}.${(index % 200) + 10}`;
export const replicaOf = (index: number): string => `${KEY}-1-${index}-1`;

/** Writes the past of replicas that serve, as the log would have it. */
export async function writeFleet(log: EventLog, replicas: number, port: number): Promise<void> {
  const parsed = parseDeployment(specification);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const intentId = '00000000-0000-7000-8000-000000000001';
  const declared = { intentId, generation: 1, revision: 1, templateDigest: '0'.repeat(64), spec: parsed.deployment };
  await write(log, stream.deployment(KEY), { type: 'davit.deployment.declared', data: declared });
  for (let index = 0; index < replicas; index++) {
    const replicaId = replicaOf(index);
    const externalKey = `dv-bench-${index}`;
    const url = `http://${addressOf(index)}:${port}`;
    const own = { replicaId, url, servedModel: 'qwen' };
    await write(
      log,
      stream.replica(replicaId),
      {
        type: 'davit.replica.requested',
        data: {
          ...{ replicaId, deployment: KEY, revision: 1, ordinal: index, incarnation: 1, externalKey },
          ...{ mode: 'elastic', adapter: 'skypilot', servedName: 'qwen', reason: 'bench', replaces: null },
        },
      },
      {
        type: 'davit.replica.launch-requested',
        data: { replicaId, attempt: 1, deadlineAt: '2099-01-01T00:00:00.000Z' },
      },
      { type: 'davit.replica.ready', data: { ...own, placement: null } },
    );
    await write(log, stream.resource(externalKey), {
      type: 'davit.resource.observed',
      data: {
        ...{ externalKey, replicaId, adapter: 'skypilot', phase: 'up', url, providerId: externalKey },
        ...{ price: null, class: null, detail: '' },
      },
    });
    await write(log, stream.runtime(replicaId), {
      type: 'davit.runtime.became-ready',
      data: { ...own, evidence: { healthMs: 1, modelsMs: 1, inferenceMs: 1 } },
    });
  }
}

const write = (log: EventLog, name: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
  log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'bench' });
