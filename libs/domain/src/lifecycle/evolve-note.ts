import type { RecordedEvent } from '@davit/contracts';
import { parseRolloutId } from '../rollout/identity.js';
import type { DeploymentState, RolloutNote } from './state.js';

/** Rollout events that its deployment remembers. */
export const NOTED = [
  'davit.rollout.started',
  'davit.rollout.refused',
  'davit.rollout.rejected',
  'davit.rollout.rolled-back',
  'davit.rollout.accepted',
] as const satisfies readonly RecordedEvent['type'][];
type Noted = Extract<RecordedEvent, { readonly type: (typeof NOTED)[number] }>;

export const isNoted = (event: RecordedEvent): event is Noted => NOTED.some((type) => type === event.type);

/** Folds the beginning and the end of a rollout into its deployment. */
export function evolveNote(state: DeploymentState, event: Noted): DeploymentState {
  const { rolloutId: id, revision, replicaId } = event.data;
  const attempt = parseRolloutId(id)?.attempt ?? 1;
  const rollout: RolloutNote = { id, revision, attempt, replicaId, since: event.time, ...endOf(event) };
  return { ...state, rollout };
}

function endOf(event: Noted): Pick<RolloutNote, 'status' | 'detail'> {
  switch (event.type) {
    case 'davit.rollout.started':
      return { status: 'under-way', detail: '' };
    case 'davit.rollout.accepted':
      return { status: 'accepted', detail: '' };
    case 'davit.rollout.refused':
      return { status: 'refused', detail: `${event.data.code}: ${event.data.detail}; ${event.data.remedy}` };
    case 'davit.rollout.rejected':
      return { status: 'rejected', detail: `${event.data.reason}: ${event.data.detail}` };
    case 'davit.rollout.rolled-back':
      return { status: 'rolled-back', detail: `${event.data.reason}: ${event.data.detail}` };
  }
}
