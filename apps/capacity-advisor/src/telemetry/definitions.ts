import { stockState } from '@davit/contracts';
import { type MetricDefinition, PROVIDER_METRICS } from '@davit/service-kit';
import { ADVICE_FAILURES } from '../advisors/advisor.js';
import { ADVISOR_CALLS } from '../advisors/calls.js';

/** Everybody who may stand behind an answer. */
export const ADVISORS = [...Object.keys(ADVISOR_CALLS), 'sky-catalogue', 'none'] as const;

export const ANSWERS: MetricDefinition<'advisor' | 'outcome'> = {
  type: 'counter',
  name: 'davit_capacity_answers_total',
  help: 'Answers about stock: the state that the advisor told, or why it could not say',
  labels: { advisor: ADVISORS, outcome: [...stockState.options, ...ADVICE_FAILURES] },
};

export const METRICS: readonly MetricDefinition[] = [ANSWERS, ...PROVIDER_METRICS];
