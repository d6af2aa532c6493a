import type { ErrorClass } from '@davit/contracts';
import { type Metrics, providerMetrics } from '@davit/service-kit';
import type { Advice, AdviceFailure } from '../advisors/advisor.js';
import { ADVISOR_CALLS } from '../advisors/calls.js';
import { ANSWERS } from './definitions.js';

/** What is counted of advice, where it happens. */
export type CapacityMeters = {
  answered(advice: Advice): void;
  exchanged(provider: 'runpod' | 'vast', call: string, failure: AdviceFailure | undefined, seconds: number): void;
};

const CALLS = {
  runpod: Object.keys(ADVISOR_CALLS).filter((call) => call.startsWith('runpod')),
  vast: Object.keys(ADVISOR_CALLS).filter((call) => call.startsWith('vast')),
};

/** Null: nothing that says whether it was heard. */
const CLASSES: Readonly<Record<AdviceFailure, ErrorClass | null>> = {
  'no-credentials': 'auth',
  'credentials-rejected': 'auth',
  outage: null,
  'rate-limited': 'transient',
  'bad-question': 'bug',
  'unreadable-answer': 'unknown',
};

export function capacityMeters(metrics: Metrics): CapacityMeters {
  const answers = metrics.counter(ANSWERS);
  const onCall = providerMetrics(metrics, CALLS);
  return {
    answered: ({ signal, failure }) => answers.inc({ advisor: signal.source, outcome: failure ?? signal.state }),
    exchanged(provider, call, failure, seconds) {
      onCall(provider)({ call, ...endOf(failure), seconds });
    },
  };
}

function endOf(failure: AdviceFailure | undefined) {
  if (failure === undefined) return { outcome: 'answered', class: null } as const;
  const errorClass = CLASSES[failure];
  return { outcome: errorClass === null ? 'lost' : 'failed', class: errorClass } as const;
}
