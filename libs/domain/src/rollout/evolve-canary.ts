import type { RecordedEvent } from '@davit/contracts';
import { streamKeyOf } from '@davit/contracts';
import { evolveResource, isProviderFact } from '../lifecycle/evolve-resource.js';
import { evolveCanaryMeter } from './canary-meter.js';
import type { Answer, Canary, RolloutState } from './state.js';

/** Folds what is asked of, and seen of, the endpoint that proves the candidate. */
export function evolveCanary(state: RolloutState, event: RecordedEvent): RolloutState {
  const { canary } = state;
  if (!canary || !event.type.startsWith('davit.endpoint.') || streamKeyOf(event.stream) !== canary.externalKey)
    return state;
  const resource = isProviderFact(event) ? evolveResource(canary.resource, event) : canary.resource;
  return { ...state, canary: { ...seen(canary, event), meter: evolveCanaryMeter(canary, event), resource } };
}

function seen(canary: Canary, event: RecordedEvent): Canary {
  const launched = (launch: Answer, launchDetail = ''): Canary => ({ ...canary, launch, launchDetail });
  switch (event.type) {
    case 'davit.endpoint.launch-attempted':
      return { ...launched('attempted'), absence: null };
    case 'davit.endpoint.launch-accepted':
      return { ...launched('done'), absence: null };
    case 'davit.endpoint.launch-refused':
      return launched('refused', event.data.detail);
    case 'davit.endpoint.launch-unknown':
      return launched('unknown', event.data.detail);
    case 'davit.endpoint.discovered':
      return event.data.outcome === 'present' ? { ...canary, absence: null } : canary;
    case 'davit.endpoint.observed':
      return event.data.phase === 'unknown' ? canary : { ...canary, absence: null };
    case 'davit.endpoint.absence-confirmed':
      return { ...canary, absence: { eventId: event.id, since: event.time } };
    default:
      return canary;
  }
}
