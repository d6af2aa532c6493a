import type { DeploymentState, ReplicaState, ResourceTimings } from '@davit/domain';
import { mayBeInvisible } from '@davit/domain';
import type { AppendOptions, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import type { ObserveHints, ProviderBackend, Subject } from './backend.js';
import type { Blindness } from './blindness.js';
import { type Facts, factWrite } from './facts.js';
import type { BackendRegistry, Resolution } from './registry.js';

/** Longest wait between two looks at a provider that cannot be asked. */
const MAX_BACKOFF_MS = 30_000;

/** One pass over one replica: what the steps share. */
export class Pass {
  /** Version of the facts' stream after the last append of this pass. */
  private version: number;

  constructor(
    readonly context: ReconcileContext,
    readonly backend: ProviderBackend,
    private readonly backends: BackendRegistry,
    readonly replica: ReplicaState,
    readonly subject: Subject,
    readonly timings: ResourceTimings,
    readonly blindness: Blindness,
  ) {
    this.version = replica.versions.resource;
  }

  get nowMs(): number {
    return this.context.nowMs();
  }

  /**
   * Appends facts; false when the log has moved on or the lease has gone, so that the state must be read anew.
   * @param requires streams that the facts rest on, which must not have moved on either
   */
  async append(events: Facts, requires: NonNullable<AppendOptions['requires']> = []): Promise<boolean> {
    const { tenant, correlationId } = this.replica;
    const result = await this.context.append([factWrite(this.backend, this.replica, this.version, events)], {
      tenant,
      requires,
      ...(correlationId === null ? {} : { correlationId }),
    });
    if (result.outcome !== 'appended') {
      this.context.logger.debug({ ...this.labels, result: result.outcome }, 'facts were not appended');
      return false;
    }
    this.version += events.length;
    return true;
  }

  /** Whether what is wanted may be asked of the backend at all. */
  resolve(): Resolution {
    const { adapter, placement } = this.replica;
    const { engine } = this.subject.deployment.spec.runtime;
    return this.backends.resolve({ adapter, engine, ...(placement && { cloud: placement.cloud }) });
  }

  /** Calls the provider. A backend that throws is defective, and what it did is unknown. */
  async ask<Result extends { readonly outcome: string }>(
    effect: string,
    call: () => Promise<Result>,
  ): Promise<Result | { readonly outcome: 'unknown'; readonly detail: string }> {
    const startedMs = this.nowMs;
    let result: Result | { readonly outcome: 'unknown'; readonly detail: string };
    try {
      result = await call();
    } catch (error) {
      result = {
        outcome: 'unknown',
        detail: `the backend failed (${error instanceof Error ? error.name : 'no error'})`,
      };
      this.context.logger.error({ ...this.labels, effect, err: error }, 'a backend threw');
    }
    const fields = {
      ...this.labels,
      effect,
      outcome: result.outcome,
      durationMs: this.nowMs - startedMs,
      ...('detail' in result ? { detail: result.detail } : {}),
    };
    const isLook = effect !== 'launch' && effect !== 'delete';
    if (isLook) this.context.logger.debug(fields, 'looked at the provider');
    else this.context.logger.info(fields, 'asked the provider');
    return result;
  }

  hints(purpose: ObserveHints['purpose']): ObserveHints {
    const { replica, nowMs } = this;
    return {
      subject: this.subject,
      purpose,
      askedAtMs: nowMs,
      launching: !replica.everReady,
      mayBeInvisible: mayBeInvisible(replica, nowMs, this.timings),
      billed: replica.price?.kind === 'billed',
      handle: replica.launch?.handle ?? null,
      url: replica.resource?.url ?? null,
      providerId: replica.resource?.providerId ?? null,
    };
  }

  /** Look again soon; also after an append, whose wake-up may be lost. */
  get soon(): ReconcileResult {
    return { requeueAfterMs: this.timings.lookMs };
  }

  /** Wait as long again as the trouble has lasted, within bounds. */
  backOff(sinceIso: string | null): ReconcileResult {
    const ageMs = sinceIso === null ? 0 : this.nowMs - Date.parse(sinceIso);
    return { requeueAfterMs: Math.max(this.timings.lookMs, Math.min(ageMs, MAX_BACKOFF_MS)) };
  }

  private get labels(): Readonly<Record<string, unknown>> {
    const { externalKey, id, adapter, correlationId } = this.replica;
    return { replicaId: id, externalKey, adapter, correlationId };
  }
}

/** The replica as backends see it; undefined when the log does not hold its specification. */
export function subjectOf(replica: ReplicaState, deployment: DeploymentState | undefined): Subject | undefined {
  const spec = deployment?.revisions[replica.revision];
  if (!spec) return undefined;
  const { externalKey, id, ordinal } = replica;
  return { externalKey, replicaId: id, ordinal, deployment: spec };
}
