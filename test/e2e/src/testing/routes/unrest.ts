import { type NewEvent, parseDeployment, stream } from '@davit/contracts';
import type { EventLog, StreamWrite } from '@davit/event-log';
import type { Random } from '@davit/ports';

export const ALIAS = 'default/Qwen/Qwen3-8B';
const SERVED_NAME = 'Qwen/Qwen3-8B';
const KEY = 'default/qwen';
const EVIDENCE = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
const SLOTS = 4;

type Slot = { readonly ordinal: number; incarnation: number; isWell: boolean };

/**
 * What prober and orchestrator tell of a fleet that never rests: replicas hang and come back, die and are replaced by the next
 * incarnation. At least one is well at every position of the log.
 */
export class Unrest {
  private readonly slots: Slot[] = Array.from({ length: SLOTS }, (_, ordinal) => ({
    ordinal,
    incarnation: 0,
    isWell: false,
  }));

  constructor(
    private readonly log: EventLog,
    private readonly random: Random,
  ) {}

  /** Incarnations that are well now. */
  get well(): readonly string[] {
    return this.slots
      .filter(({ isWell }) => isWell)
      .map((slot) => replicaOf(slot))
      .sort();
  }

  async begin(): Promise<void> {
    await this.append(declared());
    for (const slot of this.slots) await this.replace(slot);
  }

  /** One thing happens. */
  async step(): Promise<void> {
    const slot = this.slots[Math.floor(this.random.next() * SLOTS)];
    if (!slot) return;
    if (!slot.isWell) return this.random.next() < 0.5 ? this.recover(slot) : this.replace(slot);
    if (this.well.length < 2) return;
    slot.isWell = false;
    await this.append(
      one(stream.runtime(replicaOf(slot)), {
        type: 'davit.runtime.became-unready',
        data: {
          replicaId: replicaOf(slot),
          url: urlOf(slot),
          reason: 'refused',
          detail: 'test',
          consecutiveFailures: 3,
        },
      }),
    );
  }

  private async recover(slot: Slot): Promise<void> {
    slot.isWell = true;
    await this.append(proof(slot));
  }

  /** The incarnation before it, if there was one, is given up. */
  private async replace(slot: Slot): Promise<void> {
    const replaces = slot.incarnation === 0 ? null : replicaOf(slot);
    if (replaces !== null)
      await this.append(
        one(stream.replica(replaces), {
          type: 'davit.replica.failed',
          data: {
            replicaId: replaces,
            reason: 'test',
            class: 'transient',
            detail: 'test',
            placement: null,
            hadServed: true,
          },
        }),
      );
    slot.incarnation += 1;
    slot.isWell = true;
    await this.append(...past(slot, replaces), proof(slot));
  }

  private async append(first: StreamWrite, ...rest: readonly StreamWrite[]): Promise<void> {
    await this.log.append([first, ...rest], { tenant: 'default', service: 'test', correlationId: 'test' });
  }
}

const replicaOf = ({ ordinal, incarnation }: Slot): string => `${KEY}-1-${ordinal}-${incarnation}`;
const urlOf = ({ ordinal, incarnation }: Slot): string => `http://10.0.${ordinal}.${incarnation}:8000`;

const proof = (slot: Slot): StreamWrite =>
  one(stream.runtime(replicaOf(slot)), {
    type: 'davit.runtime.became-ready',
    data: { replicaId: replicaOf(slot), url: urlOf(slot), servedModel: SERVED_NAME, evidence: EVIDENCE },
  });

function past(slot: Slot, replaces: string | null): readonly [StreamWrite] {
  const replicaId = replicaOf(slot);
  const { ordinal, incarnation } = slot;
  const deadlineAt = '2099-01-01T00:00:00.000Z';
  return [
    one(
      stream.replica(replicaId),
      {
        type: 'davit.replica.requested',
        data: {
          ...{
            replicaId,
            deployment: KEY,
            revision: 1,
            ordinal,
            incarnation,
            externalKey: `dv-${ordinal}-${incarnation}`,
          },
          ...{ mode: 'elastic', adapter: 'skypilot', servedName: SERVED_NAME, reason: 'test', replaces },
        },
      },
      { type: 'davit.replica.launch-requested', data: { replicaId, attempt: 1, deadlineAt } },
      {
        type: 'davit.replica.ready',
        data: { replicaId, url: urlOf(slot), servedModel: SERVED_NAME, placement: null },
      },
    ),
  ];
}

function declared(): StreamWrite {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: SERVED_NAME, servedName: SERVED_NAME },
      runtime: { engine: 'vllm' },
      compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
      scaling: { replicas: SLOTS },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const intentId = '00000000-0000-7000-8000-000000000001';
  const data = { intentId, generation: 1, revision: 1, templateDigest: '0'.repeat(64), spec: parsed.deployment };
  return one(stream.deployment(KEY), { type: 'davit.deployment.declared', data });
}

const one = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]): StreamWrite => ({
  stream: name,
  expectedVersion: 'any',
  events,
});
