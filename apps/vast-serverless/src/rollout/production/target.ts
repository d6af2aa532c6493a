import type { LoadTarget } from '../../load/load-parts.js';
import type { Turn } from '../turn.js';
import { endpointIdOf, groupNow, isNotSeen, type NotSeen } from './workers.js';

/** The endpoint that serves, as requests are sent to it. */
export async function productionTarget(turn: Turn): Promise<LoadTarget | NotSeen> {
  const group = await groupNow(turn);
  if (isNotSeen(group)) return group;
  return { endpointId: endpointIdOf(group), endpointName: turn.endpointName, servedName: turn.servedName };
}
