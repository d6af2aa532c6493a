import { type NewEvent, stream } from '@davit/contracts';
import type { DeploymentState, ReplicaState } from '@davit/domain';
import type { Document, DocumentRef } from '@davit/projection';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { loadSummary } from '../load/summary.js';
import { decideReadiness } from './decide.js';
import { type ReplicaMemory, freshMemory } from './memory.js';
import { addressOfReplica, isWatched, specOf, workerKey } from './subject.js';
import { type WatchParts, look, nextProbeMs } from './watcher.js';

export type ReadinessParts = WatchParts & {
  /** Where worker keys are resolved; only variables that a specification names are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Turns what model servers do into facts of the log: ready, not ready and why, wrong model, load. */
export class ReadinessController implements Controller {
  readonly name = 'readiness';
  readonly concurrency: number;
  private readonly memories = new Map<string, ReplicaMemory>();

  constructor(private readonly parts: ReadinessParts) {
    this.concurrency = parts.settings.concurrency;
  }

  keysOf({ kind, key }: DocumentRef, document: Document | undefined): readonly string[] {
    if (kind !== 'replica') return [];
    const watched = document !== undefined && isWatched(document as ReplicaState); // the lifecycle fold keeps replicas under this kind
    return watched || this.memories.has(key) ? [key] : [];
  }

  async reconcile(context: ReconcileContext): Promise<ReconcileResult> {
    const replica = (await context.model.get<ReplicaState>('replica', context.key))?.document;
    const url = replica && isWatched(replica) ? addressOfReplica(replica) : null;
    const deployment =
      replica && (await context.model.get<DeploymentState>('deployment', replica.deployment))?.document;
    if (!replica || !deployment || url === null) {
      this.memories.delete(context.key);
      return {};
    }
    const memory = this.memoryOf(replica, url);
    const waitMs = memory.probeDueMs - context.nowMs();
    if (waitMs > 0 && replica.status !== 'draining') return { requeueAfterMs: waitMs };
    return this.watch(context, replica, deployment, url, memory);
  }

  private async watch(
    context: ReconcileContext,
    replica: ReplicaState,
    deployment: DeploymentState,
    url: string,
    memory: ReplicaMemory,
  ): Promise<ReconcileResult> {
    let version = replica.versions.runtime;
    if (replica.runtime?.url !== url) {
      const data = { replicaId: replica.id, url, expectedModel: replica.servedName };
      if (!(await append(context, replica, version, [{ type: 'davit.runtime.probing-started', data }]))) return {};
      version += 1;
    }
    const spec = specOf(replica, deployment);
    const key = workerKey(spec, this.parts.environment);
    if (key.trouble !== null) context.logger.warn({ trouble: key.trouble }, 'the worker API key is not sent');
    const target = {
      url,
      expectedModel: replica.servedName,
      ...(key.value === undefined ? {} : { apiKey: key.value }),
    };
    const sight = await look(replica, spec, target, memory, this.parts);

    const nowMs = context.nowMs();
    const { healthDeadlineMs } = spec.readiness;
    const decided = decideReadiness(replica, memory.failures, { url, result: sight.result, nowMs, healthDeadlineMs });
    memory.failures = decided.failures;
    const summary = sight.reading && loadSummary(replica, sight.reading, nowMs, this.parts.settings);
    const delayMs = nextProbeMs(sight, replica, this.parts);
    memory.probeDueMs = nowMs + delayMs;
    const [first, ...rest] = [decided.event, summary].flatMap((event) => event ?? []);
    if (first) {
      context.logger.info({ url, events: [first, ...rest].map(({ type }) => type), result: sight.result }, 'probed');
      await append(context, replica, version, [first, ...rest]);
    }
    return { requeueAfterMs: delayMs };
  }

  /** A server that the log calls ready was proven by whoever wrote so; another machine or address must prove itself. */
  private memoryOf(replica: ReplicaState, url: string): ReplicaMemory {
    const identity = `${replica.resource?.providerId ?? ''} ${url}`;
    const known = this.memories.get(replica.id);
    if (known?.identity === identity) return known;
    const proven = known === undefined && replica.runtime?.status === 'ready' && replica.runtime.url === url;
    const memory = freshMemory(identity, proven);
    this.memories.set(replica.id, memory);
    return memory;
  }
}

async function append(
  context: ReconcileContext,
  { id, tenant, correlationId }: ReplicaState,
  expectedVersion: number,
  events: readonly [NewEvent, ...NewEvent[]],
): Promise<boolean> {
  const result = await context.append(
    [{ stream: stream.runtime(id), expectedVersion, events }],
    correlationId === null ? { tenant } : { tenant, correlationId },
  );
  return result.outcome === 'appended';
}
