import type { Clock, HttpClient, Logger } from '@davit/ports';
import type { Controller } from '@davit/reconcile';
import { catalogueHint } from './advisors/catalogue/hint.js';
import { liveAdvisors } from './advisors/wire.js';
import { Assessor } from './assessment/assessor.js';
import type { Advice } from './advisors/advisor.js';
import { AssessmentController } from './assessment/controller.js';
import type { CapacityMeters } from './telemetry/meters.js';
import { type CatalogueReader, NO_CATALOGUE } from './prices/catalogue.js';
import { cataloguePrices } from './prices/catalogue-prices.js';
import { nodeFiles } from './prices/files.js';
import { operatorTable } from './prices/operator-table.js';
import { PriceBook } from './prices/price-book.js';
import { QuoteNews } from './prices/quote-news.js';
import { skyCatalogue } from './prices/sky-catalogue.js';
import { type CapacityAdvisorSettings, DEFAULT_SETTINGS } from './settings.js';
import { WatchController } from './watch/controller.js';

export { ADVISOR_CALLS } from './advisors/calls.js';
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
  readonly meters?: CapacityMeters;
};

/** Replicas whose advice may be sought at once; their questions are few, since equal ones are asked once. */
const CONCURRENCY = 32;

/** One assessor serves controllers and RPC, so that both see the same answers. */
export function createAssessor(parts: CapacityAdvisorParts): Assessor {
  const { http, clock, logger, meters, settings = DEFAULT_SETTINGS } = parts;
  const { lifetimeMs } = settings;
  const catalogue = parts.catalogue ?? catalogueOf(parts, settings);
  return new Assessor({
    advisors: liveAdvisors({ http, clock, logger, ...(meters ? { meters } : {}) }, settings),
    others: catalogueHint(catalogue, clock, lifetimeMs),
    prices: priceBookOf(parts, settings, catalogue),
    clock,
    logger,
    lifetimeMs,
    ...(meters ? { onAnswer: (advice: Advice) => meters.answered(advice) } : {}),
  });
}

/** Read twice in the lifetime of its prices, so that those of a file that stands are always fresh. */
function catalogueOf({ clock, logger }: CapacityAdvisorParts, { prices }: CapacityAdvisorSettings): CatalogueReader {
  const { catalogueDirectory: directory, catalogueLifetimeMs } = prices;
  if (directory === undefined) return NO_CATALOGUE;
  return skyCatalogue({ files: nodeFiles, clock, logger }, { directory, rereadMs: catalogueLifetimeMs / 2 });
}

function priceBookOf(
  { clock, logger }: CapacityAdvisorParts,
  { prices: { tablePath, catalogueLifetimeMs } }: CapacityAdvisorSettings,
  catalogue: CatalogueReader,
): PriceBook {
  const table = tablePath === undefined ? [] : [operatorTable(tablePath, { files: nodeFiles, clock, logger })];
  return new PriceBook([...table, cataloguePrices(catalogue, catalogueLifetimeMs)], clock, logger);
}

/**
 * The work of capacity-advisor without its wiring, as the simulation runs it.
 * @param watchMs pause between two samples of an offer that some deployment allows; 0 = no samples
 */
export const capacityAdvisorControllers = (assessor: Assessor, watchMs: number): readonly Controller[] => [
  new AssessmentController(assessor, new QuoteNews(assessor.clock), CONCURRENCY),
  ...(watchMs > 0 ? [new WatchController(assessor, watchMs)] : []),
];
