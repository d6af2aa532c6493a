import { readArguments } from '../arguments.js';
import { type Cell, cellName, fullMatrix, partOf, shortMatrix } from './cells.js';
import { probeAll, runMatrix, uncovered } from './matrix.js';
import { ROLLOUT_SCENARIOS } from './rollouts.js';
import { SCENARIOS } from './scenario.js';

const values = readArguments({
  /** How many seeds, each a matrix of its own. */
  seeds: { type: 'string', default: '1' },
  /** Of a point that is passed often, how many of its first occurrences are struck. */
  occurrences: { type: 'string', default: '3' },
  /** Each point with each kind once, in the shortest scenario that passes it. */
  short: { type: 'boolean', default: false },
  /** Only scenarios whose name contains this. */
  scenario: { type: 'string', default: '' },
  /** Only cells whose name contains this, or one cell by its whole name. */
  cell: { type: 'string', default: '' },
  /** The workflows of rollouts on evidence, in place of those of elastic and adopted replicas. */
  rollouts: { type: 'boolean', default: false },
  /** `2/8`: the second of eight parts, each with cells of all kinds. */
  part: { type: 'string', default: '1/1' },
  /** Prints every cell as it ends. */
  verbose: { type: 'boolean', default: false },
});

const startedMs = Date.now();
const scenarios = (values.rollouts ? ROLLOUT_SCENARIOS : SCENARIOS).filter(({ name }) =>
  name.includes(values.scenario),
);
const totals = { cells: 0, points: 0, failed: 0 };
for (let seed = 1; seed <= Number(values.seeds); seed++) {
  const probes = await probeAll({ instances: [1, 2], seed }, scenarios);
  for (const { scenario, outcome } of probes)
    for (const fault of outcome.faults) say(`without any stroke, ${scenario.name}: ${fault}`);
  if (scenarios.length === SCENARIOS.length) say(JSON.stringify(uncovered(probes)));
  const all = (values.short ? shortMatrix(probes) : fullMatrix(probes, Number(values.occurrences))).filter((cell) =>
    cellName(cell).includes(values.cell),
  );
  const cells = partOf(all, values.part);
  say(`seed ${seed}: ${cells.length} of ${all.length} cells`);
  totals.points = new Set([...cells.map(({ target }) => target.id)]).size;
  await runMatrix(cells, (cell, faults) => tell(cell, faults));
}
const seconds = Number(((Date.now() - startedMs) / 1_000).toFixed(1));
say(JSON.stringify({ ...totals, seconds }));
process.exit(totals.failed === 0 && totals.cells > 0 ? 0 : 1);

function tell(cell: Cell, faults: readonly string[]): void {
  totals.cells += 1;
  if (faults.length > 0) totals.failed += 1;
  const options = values.rollouts ? '--rollouts ' : '';
  if (faults.length > 0) say(`FAILED npm run matrix -- ${options}--cell '${cellName(cell)}'`);
  else if (values.verbose) say(`held ${cellName(cell)}`);
  for (const fault of faults) say(`  ${fault}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
