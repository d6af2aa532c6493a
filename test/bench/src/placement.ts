import { type PlacementQuestion, compareAmounts, evidenceOf, rankPlacements } from '@davit/domain';
import { type Figure, budgetMet } from './bench.js';
import { percentile } from './measure.js';
import { questionAbout } from './placement/offers.js';
import { heading, lineOf } from './report.js';

const OFFERS = 5_000;
const WARM_UP = 20;
const RUNS = 60;

/** The least that any plan has to do: the offers that have a price, in the order of their prices. */
function plainSort({ candidates }: PlacementQuestion): number {
  const amounts = candidates.flatMap(({ signal }) => signal?.price?.amount ?? []);
  return amounts.sort(compareAmounts).length;
}

/** Each offer judged, ranked and explained, as an event or a plan shows it. */
function plan(question: PlacementQuestion): number {
  return evidenceOf(rankPlacements(question)).length;
}

function medianMs(
  work: (question: PlacementQuestion) => number,
  question: PlacementQuestion,
): Record<'p50' | 'p99', number> {
  const durations: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run++) {
    const startMs = performance.now();
    work(question);
    if (run >= 0) durations.push(performance.now() - startMs);
  }
  return { p50: percentile(durations, 0.5), p99: percentile(durations, 0.99) };
}

const question = questionAbout(OFFERS);
const sort = medianMs(plainSort, question);
const ranked = medianMs(plan, question);
const ranking = rankPlacements(question);
if (ranking.candidates.some(({ reason }) => reason === '')) throw new Error('an offer is not explained');

const title = `A plan over ${OFFERS} offers, each with its reason`;
const figures: readonly Figure[] = [
  { what: 'plain sort by price, median', value: sort.p50, unit: 'ms' },
  {
    what: 'ranked and explained, median',
    value: ranked.p50,
    unit: 'ms',
    ratio: ranked.p50 / sort.p50,
    budget: { atMost: 50 },
  },
  { what: 'ranked and explained, p99', value: ranked.p99, unit: 'ms', ratio: ranked.p99 / sort.p99 },
];
process.stdout.write(`${heading(title, '× sort')}\n`);
for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
const missed = figures.filter((figure) => budgetMet(figure) === false).length;
process.stdout.write(`\n${missed === 0 ? 'All budgets met.' : `Budgets missed: ${missed}.`}\n`);
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ figures, missed })}\n`);
