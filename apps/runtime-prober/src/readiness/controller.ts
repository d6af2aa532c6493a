import { type NewEvent, stream } from '@davit/contracts';
import { type DeploymentState, type ReplicaState, TRAFFIC_FRESH_MS, isWeak, reachOf } from '@davit/domain';
import type { Document, DocumentRef } from '@davit/projection';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { loadSummary } from '../load/summary.js';
import type { TargetIndex } from '../reports/target-index.js';
import type { ProbeObserver } from '../telemetry/observer.js';
import { decideReadiness } from './decide.js';
import { Lanes } from './lanes.js';
import { type ReplicaMemory, freshMemory } from './memory.js';
import { ObserverAlarm } from './observer-alarm.js';
import { Pace, type WatchKind } from './pace.js';
import { Reached } from './reach.js';
import { addressOfReplica, isWatched, mayRest, specOf, workerKey } from './subject.js';
import { type Sight, type WatchParts, look } from './watcher.js';

export type ReadinessParts = WatchParts & {
  /** Where worker keys are resolved; only variables that a specification names are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told of every replica that is watched by whichever instance, and of those no longer. */
  readonly targets?: TargetIndex;
  /** Told how much later than wished each probe of a replica began, in milliseconds. */
  readonly onProbe?: (latenessMs: number, replica: string) => void;
  readonly observer?: ProbeObserver;
};

/** Passes wait for a place in a lane; the queue itself need not hold them back. */
const EVERY_PASS = 100_000;

/** However many gateways report, a server that may be busy is not made to compute more often than this. */
const DOUBT_SPACING_MS = 1_000;

type Subject = { readonly replica: ReplicaState; readonly deployment: DeploymentState; readonly url: string };

/** Turns what model servers do into facts of the log: ready, not ready and why, wrong model, load. */
export class ReadinessController implements Controller {
  readonly name = 'readiness';
  readonly concurrency = EVERY_PASS;
  private readonly memories = new Map<string, ReplicaMemory>();
  private readonly lanes: Lanes;
  private readonly pace: Pace;
  private readonly reached = new Reached();
  private readonly alarm: ObserverAlarm;

  constructor(private readonly parts: ReadinessParts) {
    this.lanes = new Lanes(parts.clock, parts.settings);
    this.pace = new Pace(parts.settings, parts.random);
    this.alarm = new ObserverAlarm(parts.settings.observer);
  }

  keysOf({ kind, key }: DocumentRef, document: Document | undefined): readonly string[] {
    if (kind !== 'replica') return [];
    const replica = document as ReplicaState | undefined; // the lifecycle fold keeps replicas under this kind
    const watched = replica !== undefined && isWatched(replica);
    this.parts.targets?.set(key, watched ? addressOfReplica(replica) : null);
    return watched || this.memories.has(key) ? [key] : [];
  }

  async reconcile(context: ReconcileContext): Promise<ReconcileResult> {
    const subject = await subjectOf(context);
    if (!subject) {
      this.forget(context.key);
      await this.alarm.keep(context, this.reached.counts);
      return {};
    }
    const { replica } = subject;
    const memory = this.memoryOf(subject, context.nowMs());
    if (isLeftAlone(subject, memory)) {
      this.release(replica.id);
      await this.alarm.keep(context, this.reached.counts);
      return {};
    }
    const waitMs = memory.probeDueMs - context.nowMs();
    if (waitMs > 0 && replica.status !== 'draining') return { requeueAfterMs: waitMs };
    return this.lanes.run(memory.slow, async () => {
      if (memory.probeDueMs > 0) this.parts.onProbe?.(Math.max(0, context.nowMs() - memory.probeDueMs), replica.id);
      return this.watch(context, subject, memory);
    });
  }

  private async watch(context: ReconcileContext, subject: Subject, memory: ReplicaMemory): Promise<ReconcileResult> {
    const { replica, deployment, url } = subject;
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
    const sight = await look({ replica, spec, target, memory, nowMs: () => context.nowMs() }, this.parts);
    this.parts.observer?.probed({ replica, spec, ...sight });

    const nowMs = context.nowMs();
    const held = this.isHeld(replica, sight, memory, nowMs);
    const { healthDeadlineMs } = spec.readiness;
    const { result, progressed } = sight;
    const finding = { url, result, progressed, held, nowMs, healthDeadlineMs };
    const decided = decideReadiness(replica, memory, finding);
    Object.assign(memory, decided.memory);
    const summary = sight.reading && loadSummary(replica, sight.reading, nowMs, this.parts.settings);
    const delayMs = this.pace.nextMs(replica.id, kindOf(sight, replica));
    memory.probeDueMs = nowMs + delayMs;
    await this.alarm.keep(context, this.reached.counts);
    const [first, ...rest] = [decided.event, summary].flatMap((event) => event ?? []);
    if (first) {
      context.logger.info({ url, events: [first, ...rest].map(({ type }) => type), result }, 'probed');
      await append(context, replica, version, [first, ...rest]);
    }
    return { requeueAfterMs: delayMs };
  }

  /** True while what was found may be the prober's own illness (law 12); never longer than the limit. */
  private isHeld(replica: ReplicaState, { result }: Sight, memory: ReplicaMemory, nowMs: number): boolean {
    if (replica.status !== 'ready') {
      this.reached.forget(replica.id);
      return false;
    }
    const reach = reachOf(result.outcome === 'unready' ? result.reason : null);
    this.reached.note(replica.id, reach);
    const { observer } = this.parts.settings;
    const isSuspectVerdict = isWeak(reach, this.reached.counts, replica, observer, nowMs);
    memory.heldSinceMs = isSuspectVerdict ? (memory.heldSinceMs ?? nowMs) : null;
    return memory.heldSinceMs !== null && nowMs - memory.heldSinceMs < observer.holdMs;
  }

  /** A server that the log calls ready was proven by whoever wrote so; another machine or address must prove itself. */
  private memoryOf({ replica, url }: Subject, nowMs: number): ReplicaMemory {
    const identity = `${replica.resource?.providerId ?? ''} ${url}`;
    let memory = this.memories.get(replica.id);
    if (memory?.identity !== identity) {
      const proven = memory === undefined && replica.runtime?.status === 'ready' && replica.runtime.url === url;
      memory = freshMemory(identity, proven);
      this.memories.set(replica.id, memory);
    }
    this.heed(replica, memory, nowMs);
    return memory;
  }

  /** A gateway whose requests fail puts a server in doubt: it is probed at once and must compute, though not again and again. */
  private heed({ traffic }: ReplicaState, memory: ReplicaMemory, nowMs: number): void {
    const newest = traffic?.at(-1);
    const isHeeded = newest?.at === memory.report?.at && newest?.reporter === memory.report?.reporter;
    if (!newest || isHeeded) return;
    memory.report = newest;
    if (nowMs - Date.parse(newest.at) >= TRAFFIC_FRESH_MS) return;
    memory.proven = false;
    const soonestMs = memory.inferenceAtMs + DOUBT_SPACING_MS;
    memory.probeDueMs = Math.min(memory.probeDueMs, Math.max(nowMs, soonestMs));
  }

  private forget(id: string): void {
    this.memories.delete(id);
    this.parts.observer?.forgotten(id);
    this.release(id);
  }

  /** It takes no place among those that are probed, and says nothing of how well this prober reaches them. */
  private release(id: string): void {
    this.pace.forget(id);
    this.reached.forget(id);
  }
}

/**
 * What a probe would keep awake rests on its provider's list of workers, once it was proven, for as long as that says that it is up and no
 * gateway reports otherwise: any of these is news, for which it is looked at again.
 */
function isLeftAlone({ replica, deployment, url }: Subject, { proven }: ReplicaMemory): boolean {
  const { runtime, resource } = replica;
  const isReady = runtime?.status === 'ready' && runtime.url === url;
  return proven && isReady && resource?.phase === 'up' && mayRest(specOf(replica, deployment));
}

/** What there is to watch under a key; undefined for nothing. */
async function subjectOf({ model, key }: ReconcileContext): Promise<Subject | undefined> {
  const replica = (await model.get<ReplicaState>('replica', key))?.document;
  const url = replica && isWatched(replica) ? addressOfReplica(replica) : null;
  const deployment = replica && (await model.get<DeploymentState>('deployment', replica.deployment))?.document;
  return replica && deployment && url !== null ? { replica, deployment, url } : undefined;
}

/** A server that says why it cannot serve is not asked as often as one that has yet to appear. */
function kindOf({ result }: Sight, replica: ReplicaState): WatchKind {
  if (replica.status === 'draining') return 'drain';
  if (result.outcome !== 'unready') return 'steady';
  if (replica.status === 'ready') return 'suspect';
  const { reason } = result;
  const appears = reason === 'refused' || reason === 'loading' || reason === 'warming' || reason === 'timeout';
  return appears ? 'start' : 'steady';
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
