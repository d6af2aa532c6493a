import type { Clock, HttpClient, Logger } from '@davit/ports';
import type { Controller } from '@davit/reconcile';
import { catalogueHint } from './advisors/catalogue/hint.js';
import { liveAdvisors } from './advisors/wire.js';
import { Assessor } from './assessment/assessor.js';
import { AssessmentController } from './assessment/controller.js';
import { type CatalogueReader, NO_CATALOGUE } from './prices/catalogue.js';
import { type CapacityAdvisorSettings, DEFAULT_SETTINGS } from './settings.js';

export type { Advice, AdviceFailure, StockAdvisor, StockQuestion } from './advisors/advisor.js';
export { type AssessOutcome, answerAssess } from './assessment/answer.js';
export { Assessor } from './assessment/assessor.js';
export { type CapacityAdvisorSettings, DEFAULT_SETTINGS as DEFAULT_CAPACITY_ADVISOR_SETTINGS } from './settings.js';

export type CapacityAdvisorParts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings?: CapacityAdvisorSettings;
  readonly catalogue?: CatalogueReader;
};

/** Replicas whose advice may be sought at once; their questions are few, since equal ones are asked once. */
const CONCURRENCY = 32;

/** One assessor serves controllers and RPC, so that both see the same answers. */
export function createAssessor({
  http,
  clock,
  logger,
  settings = DEFAULT_SETTINGS,
  catalogue = NO_CATALOGUE,
}: CapacityAdvisorParts): Assessor {
  const { lifetimeMs } = settings;
  const advisors = liveAdvisors({ http, clock, logger }, settings);
  return new Assessor({ advisors, others: catalogueHint(catalogue, clock, lifetimeMs), clock, logger, lifetimeMs });
}

/** The work of capacity-advisor without its wiring, as the simulation runs it. */
export const capacityAdvisorControllers = (assessor: Assessor): readonly Controller[] => [
  new AssessmentController(assessor, CONCURRENCY),
];
