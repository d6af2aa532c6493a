import type { Clock } from '@davit/ports';
import type { CatalogueAnswer, CatalogueReader } from '../../prices/catalogue.js';
import { type StockAdvisor, type StockQuestion, type Verdict, adviceOf, unknownBecause } from '../advisor.js';

/**
 * For clouds that nobody can be asked about: what SkyPilot's catalogue lists. A list is no stock, so the state is unknown
 * whatever it says, and the detail says that it is a static hint. Its prices have their own way to those who compare prices.
 */
export function catalogueHint(catalogue: CatalogueReader, clock: Clock, lifetimeMs: number): StockAdvisor {
  const source = 'sky-catalogue';
  return {
    source,
    exchangeOf: () => null,
    async advise(question) {
      const answer = await catalogue.lookUp(question.placement);
      const verdict = hintOf(answer, question);
      const spoke = answer.outcome === 'no-catalogue' ? 'none' : source;
      return adviceOf(verdict, question, { source: spoke, observedAtMs: clock.nowMs(), lifetimeMs });
    },
  };
}

function hintOf(answer: CatalogueAnswer, { placement }: StockQuestion): Verdict {
  const { cloud, accelerator, region } = placement;
  const what = accelerator === null ? 'machines without GPU' : `${accelerator.name}:${accelerator.count}`;
  const where = region === null ? cloud : `${cloud} ${region}`;
  const nobody = `there is no stock advisor for ${cloud}`;
  switch (answer.outcome) {
    case 'no-catalogue':
      return unknownBecause(nobody);
    case 'not-listed':
      return {
        ...unknownBecause(
          `${nobody}; SkyPilot's catalogue does not list ${what} on ${where}, which may be a gap of the moment`,
          undefined,
          { 'read at': answer.readAt },
        ),
        level: 'not listed',
      };
    case 'listed': {
      const { regions, rows } = answer.listing;
      const shown = regions.slice(0, 5).join(', ') + (regions.length > 5 ? ` and ${regions.length - 5} more` : '');
      return {
        ...unknownBecause(
          `${nobody}; SkyPilot's catalogue lists ${what} on ${where}: a static hint that says nothing of stock`,
          undefined,
          { rows: String(rows.length), regions: shown, 'read at': answer.readAt },
        ),
        level: 'listed',
      };
    }
  }
}
