import {
  DEFAULT_RESOURCE_TIMINGS,
  type DeploymentState,
  nextResourceStep,
  type ReplicaState,
  type ResourceStep,
  type ResourceTimings,
} from '@davit/domain';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { TerminalError } from '@davit/reconcile';
import type { Document } from '@davit/projection';
import type { ProviderBackend, Subject } from './backend.js';
import { Blindness } from './blindness.js';
import { Pass, subjectOf } from './pass.js';
import type { BackendRegistry } from './registry.js';
import { discover, launch, resolveLaunch } from './steps/launch.js';
import { lookForAbsence, observe } from './steps/observe.js';
import { remove } from './steps/remove.js';

export interface ResourceControllerOptions {
  /** Name of the controller in metrics and leases. Default `resource`. */
  readonly name?: string;
  readonly backends: BackendRegistry;
  readonly timings?: ResourceTimings;
  /** Passes at once. Default 8. */
  readonly concurrency?: number;
  /** A sight older than this is no longer known to be true. Default 60 s. */
  readonly sightLifetimeMs?: number;
}

const SIGHT_LIFETIME_MS = 60_000;

/**
 * Does at a provider what the log says is due, one step a pass, for every replica whose adapter it has a backend for.
 * All it knows comes from the log, so that a crash at any point is followed by the same code.
 */
export function resourceController(options: ResourceControllerOptions): Controller {
  const { backends, timings = DEFAULT_RESOURCE_TIMINGS } = options;
  const blindness = new Blindness(options.sightLifetimeMs ?? SIGHT_LIFETIME_MS);
  return {
    name: options.name ?? 'resource',
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    keysOf: (ref, document) => (ref.kind === 'replica' && isOurs(document, backends) ? [ref.key] : []),
    async reconcile(context) {
      const replica = (await context.model.get<ReplicaState>('replica', context.key))?.document;
      const backend = replica && backends.get(replica.adapter);
      if (!backend) return {};
      const subjectFor = async (): Promise<Subject> => {
        const deployment = await context.model.get<DeploymentState>('deployment', replica.deployment);
        const subject = subjectOf(replica, deployment?.document);
        if (!subject) throw new TerminalError(`the log holds no revision ${replica.revision} of ${replica.deployment}`);
        return subject;
      };
      return driveResource(context, { backend, backends, timings, blindness }, replica, subjectFor);
    },
  };
}

export interface DriveParts {
  readonly backend: ProviderBackend;
  readonly backends: BackendRegistry;
  readonly timings: ResourceTimings;
  readonly blindness: Blindness;
}

/** The one next step for one resource, whoever wants it; nothing when there is none. */
export async function driveResource(
  context: ReconcileContext,
  { backend, backends, timings, blindness }: DriveParts,
  replica: ReplicaState,
  subjectFor: () => Promise<Subject>,
): Promise<ReconcileResult> {
  const step = nextResourceStep(replica, context.nowMs(), timings);
  if (step.do === 'nothing') {
    blindness.end(replica.id);
    return {};
  }
  if (step.do === 'wait') return { requeueAfterMs: Math.max(0, step.untilMs - context.nowMs()) };
  return perform(new Pass(context, backend, backends, replica, await subjectFor(), timings, blindness), step);
}

type Act = Exclude<ResourceStep, { do: 'nothing' | 'wait' }>;

function perform(pass: Pass, step: Act): Promise<ReconcileResult> {
  switch (step.do) {
    case 'discover':
      return discover(pass, step.attempt);
    case 'launch':
      return launch(pass, step.attempt);
    case 'resolve-launch':
      return resolveLaunch(pass, step.attempt, step.giveUp);
    case 'observe':
      return observe(pass, step.againMs);
    case 'look-for-absence':
      return lookForAbsence(pass, step.confirm, step.againMs);
    case 'delete':
      return remove(pass, step.attempt);
  }
}

/** A replica that was proven gone needs no look; the projection keeps it for explanation only. */
function isOurs(document: Document | undefined, backends: BackendRegistry): boolean {
  const adapter = document?.['adapter'];
  return typeof adapter === 'string' && backends.get(adapter) !== undefined && document?.['status'] !== 'deleted';
}
