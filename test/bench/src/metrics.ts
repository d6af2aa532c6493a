import parse from 'parse-prometheus-text-format';
import { readingOf, scanExposition, wantedNames } from '@davit/runtime-prober';
import { type Figure, budgetMet } from './bench.js';
import { type Body, fixtures, longLabel, manyEngines, manySeries, strange } from './metrics/bodies.js';
import { growth, memory } from './metrics/bounds.js';
import { type Comparison, UNLIMITED, compare, metricsOf, together } from './metrics/compare.js';
import { compareMs } from './metrics/time.js';
import { heading, lineOf } from './report.js';

/** Length of the runs over one body. */
const RUN_MS = 400;
const LONG_RUN_MS = 1_000;

const present = (comparisons: readonly (Comparison | undefined)[]): readonly Comparison[] =>
  comparisons.flatMap((each) => each ?? []);

/** What else it takes to read a server: what its series mean, and a server that is unlike all before. */
function further(body: Body, theirsMs: number): readonly Figure[] {
  const metrics = metricsOf(body.name);
  const names = wantedNames(metrics);
  let turn = 0;
  const flood = manySeries(200_000);
  const floodText = flood.bytes.toString('utf8');
  const looked = compareMs(
    () => parse(floodText),
    () => Array.from(scanExposition(flood.bytes, names, UNLIMITED).samples, ({ series }) => series.pairs.length).length,
    LONG_RUN_MS,
  );
  const bodies = Array.from({ length: 200 }, (_, index) => strange(index).bytes);
  const { one, other } = compareMs(
    () => readingOf(scanExposition(body.bytes, names, UNLIMITED), metrics),
    () => scanExposition(bodies[turn++ % bodies.length] ?? body.bytes, names, UNLIMITED),
    RUN_MS,
  );
  return [
    { what: `${body.name}, read and put in the terms of every engine`, value: theirsMs / one, unit: '×' },
    { what: 'of two hundred models by turns, more than is remembered', value: theirsMs / other, unit: '×' },
    { what: `${flood.name}, an object made of each`, value: looked.one / looked.other, unit: '×' },
  ];
}

const seen = present(fixtures().map((body) => compare(body, RUN_MS)));
const refused = fixtures().length - seen.length;
const largest = fixtures().find(({ name }) => name === 'v1-newest-dp2.prom');
const largestMs = seen.find(({ figure }) => figure.what.startsWith('v1-newest-dp2.prom'))?.theirsMs;
if (!largest || largestMs === undefined) throw new Error('the largest fixture is missing, or was not read');
const made = present(
  [manyEngines(64), manySeries(20_000), manySeries(200_000), longLabel(2 ** 20)].map((body) =>
    compare(body, LONG_RUN_MS),
  ),
);

const sections: readonly (readonly [string, readonly Figure[]])[] = [
  [
    `As fast as parse-prometheus-text-format, which cannot read ${refused} of the bodies`,
    [...seen.map(({ figure }) => figure), together(seen)],
  ],
  ['On bodies that were made', made.map(({ figure }) => figure)],
  ['With more to do than that package', further(largest, largestMs)],
  ['Time, as the body grows', growth(RUN_MS)],
  ['Memory', memory(64)],
];
for (const [title, figures] of sections) {
  process.stdout.write(`${heading(title, '')}\n`);
  for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
}
const figures = sections.flatMap(([, each]) => each);
const missed = figures.filter((figure) => budgetMet(figure) === false).length;
process.stdout.write(`\n${missed === 0 ? 'All budgets met.' : `Budgets missed: ${missed}.`}\n`);
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ figures, missed })}\n`);
