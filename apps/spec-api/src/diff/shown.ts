import type { DiffKind } from '@davit/contracts';
import {
  type AlarmState,
  type DeploymentState,
  type OrphanState,
  type ReplicaState,
  type RolloutState,
  type RouteState,
  type TenantState,
  isBilling,
  isRolloutOver,
  parseReplicaId,
} from '@davit/domain';
import type { Document, DocumentRef, Shown } from '@davit/projection';

/** Documents in which changes are looked for. */
export const COMPARED = ['deployment', 'replica', 'route', 'rollout', 'orphan', 'alarm', 'tenant'] as const;

/** A thing of the fleet as it is compared, and what is told of it beside. */
export interface ShownThing extends Shown {
  readonly kind: DiffKind;
  readonly tenant: string;
  readonly deployment: string | null;
  /** Proven gone, dealt with, deleted. */
  readonly isOver: boolean;
}

/** Of no use to who asks what changed: the bookkeeping of the fold, and what the name of the thing says already. */
const BOOKKEEPING = ['key', 'id', 'tenant', 'deployment', 'version', 'versions', 'correlationId', 'orderPosition'];
/** What is told of another thing: the resource of a replica, and what each costs; a specification stands in `spec`. */
const TOLD_ELSEWHERE: Partial<Record<DiffKind, readonly string[]>> = {
  deployment: ['revisions'],
  replica: ['resource', 'absence', 'meter'],
  orphan: ['meter'],
};

/** The things that a document tells of. A replica tells of its resource, too, and a rollout of the one that proves its candidate. */
export function shownIn({ kind, key }: DocumentRef, document: Document): readonly ShownThing[] {
  // The kind tells the shape, as it does in the store.
  switch (kind) {
    case 'deployment': {
      const state = document as DeploymentState;
      return [thing(kind, key, state, { deployment: key, isOver: state.status === 'deleted' })];
    }
    case 'replica': {
      const state = document as ReplicaState;
      const own = { deployment: state.deployment, isOver: state.status === 'deleted' };
      return [thing(kind, key, state, own), ...resourceOf(state)];
    }
    case 'route': {
      const state = document as RouteState;
      return [thing(kind, key, state, { deployment: servedBy(state), isOver: false })];
    }
    case 'rollout': {
      const { canary, ...state } = document as RolloutState;
      const told = { ...state, canary: canary && { externalKey: canary.externalKey, removed: canary.removed } };
      const rollout = thing(kind, key, told, {
        deployment: state.deployment,
        isOver: isRolloutOver(document as RolloutState),
      });
      return [rollout, ...(canary ? resourceOf({ ...canary.resource, meter: canary.meter }) : [])];
    }
    case 'orphan': {
      const state = document as OrphanState;
      const isOver = state.status === 'gone' || state.status === 'cleared';
      return [thing(kind, key, state, { deployment: deploymentIn(state.replicaId), isOver })];
    }
    case 'alarm': {
      const state = document as AlarmState;
      return [
        thing(kind, `${state.alarm} ${state.about}`, state, { deployment: deploymentIn(state.about), isOver: false }),
      ];
    }
    case 'tenant':
      return [thing('budget', key, document as TenantState, { deployment: null, isOver: false })];
    default:
      return [];
  }
}

/** What it has or may have at its provider; nothing while nothing was asked for and nothing was found. */
function resourceOf(replica: ReplicaState): readonly ShownThing[] {
  const { externalKey, deployment, adapter, resource, absence, meter, launch } = replica;
  if (!launch && !resource) return [];
  const billing = meter !== null && isBilling(meter);
  const price = meter?.rates.at(-1)?.price ?? null;
  const value = { ...resource, owner: replica.id, adapter, absence, billing, price, tenant: replica.tenant };
  const isOver = absence.confirmedAt !== null || absence.released;
  return [thing('resource', externalKey, value, { deployment, isOver })];
}

function thing(
  kind: DiffKind,
  name: string,
  document: Document & { readonly tenant: string },
  about: Pick<ShownThing, 'deployment' | 'isOver'>,
): ShownThing {
  const leftOut = [...BOOKKEEPING, ...(TOLD_ELSEWHERE[kind] ?? [])];
  const value = Object.fromEntries(Object.entries(document).filter(([field]) => !leftOut.includes(field)));
  return { kind, name, tenant: document.tenant, value, ...about };
}

/** A route names no deployment of its own: its targets do. */
const servedBy = ({ targets, draining }: RouteState): string | null =>
  deploymentIn([...targets, ...draining][0]?.replica ?? null);

const deploymentIn = (about: string | null): string | null => {
  if (about === null) return null;
  return parseReplicaId(about)?.deployment ?? (/^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/.test(about) ? about : null);
};
