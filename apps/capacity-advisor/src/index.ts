import type { Clock, HttpClient, Logger } from '@davit/ports';
import type { Controller } from '@davit/reconcile';
import { runpodAdvisor } from './advisors/runpod/advisor.js';
import { Assessor } from './assessment/assessor.js';
import { AssessmentController } from './assessment/controller.js';
import { cachedAdvisor } from './gate/cached-advisor.js';
import { type CapacityAdvisorSettings, DEFAULT_SETTINGS } from './settings.js';

export type { Advice, AdviceFailure, StockAdvisor } from './advisors/advisor.js';
export { RUNPOD_GPUS, type RunpodGpu, runpodGpuOf } from './advisors/runpod/gpus.js';
export { type AssessOutcome, answerAssess } from './assessment/answer.js';
export { Assessor } from './assessment/assessor.js';
export { type CapacityAdvisorSettings, DEFAULT_SETTINGS as DEFAULT_CAPACITY_ADVISOR_SETTINGS } from './settings.js';

export type CapacityAdvisorParts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings?: CapacityAdvisorSettings;
};

/** Replicas whose advice may be sought at once; their questions are few, since equal ones are asked once. */
const CONCURRENCY = 32;

/** One assessor serves controllers and RPC, so that both see the same answers. */
export function createAssessor({ http, clock, logger, settings = DEFAULT_SETTINGS }: CapacityAdvisorParts): Assessor {
  const { runpod, timeoutMs, cacheMs, lifetimeMs } = settings;
  const advisor = runpodAdvisor({ http, clock, logger }, { ...runpod, timeoutMs, lifetimeMs });
  return new Assessor(new Map([['runpod', cachedAdvisor(advisor, clock, cacheMs)]]), clock, logger, lifetimeMs);
}

/** The work of capacity-advisor without its wiring, as the simulation runs it. */
export const capacityAdvisorControllers = (assessor: Assessor): readonly Controller[] => [
  new AssessmentController(assessor, CONCURRENCY),
];
