import { type Window } from '@davit/domain';
import { type Effect, type Service } from './course.js';

/** `accept`: as good as the baseline, and measured. `not-accept`: everything else. */
export type Label = 'accept' | 'not-accept';

export type Sides = { readonly baseline: readonly (Window | null)[]; readonly candidate: readonly (Window | null)[] };

/** What makes a trace one of its kind. */
export type Plan = {
  readonly label: Label;
  readonly noise: { readonly sigma: number; readonly windowSigma: number };
  readonly service: Partial<Service>;
  readonly effect: Effect;
  readonly spoil: (sides: Sides) => Sides;
};
