import type { EventData } from '@davit/contracts';

type Failed = Pick<EventData<'davit.rollout.candidate-failed'>, 'step' | 'detail'>;

/** What to do about a canary that did not prove itself, by the step at which it stopped. Production is untouched in any case. */
export const REMEDIES: Readonly<Record<Failed['step'], string>> = {
  template: 'fix the template: its image, its environment or its access',
  launch: 'fix what keeps the canary from being rented: permissions, credit or the search for hardware',
  load: 'fix what keeps the model from loading: image, model or environment',
  readiness: 'fix what keeps the server from becoming ready: image, model or environment',
  'response-schema': 'fix what changed the form of answers: image or arguments of the server',
  outputs: 'fix the model or its arguments, or record new answers if these are what is wanted',
};

export const remedied = ({ step, detail }: Failed): string => `${step}: ${detail.slice(0, 1_500)}; ${REMEDIES[step]}`;
