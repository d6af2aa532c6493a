import type { ErrorClass } from '@davit/contracts';
import type { Observation, ObserveResult, SeenPhase } from '@davit/provider-kit';

export type Seen = Extract<ObserveResult, { readonly outcome: 'present' }> & Observation;

export const unknown = (detail: string): ObserveResult => ({ outcome: 'unknown', detail });

export function present(
  phase: SeenPhase,
  providerId: string | null,
  url: string | null,
  detail: string,
  errorClass: ErrorClass | null = null,
): Seen {
  return { outcome: 'present', phase, url, providerId, price: null, class: errorClass, detail };
}
