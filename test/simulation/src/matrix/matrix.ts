import { type Cell, type Probe, cellName } from './cells.js';
import { EXPECTED_STEPS } from './expected.js';
import { runCell } from './run.js';
import { SCENARIOS, type Scenario } from './scenario.js';

/** Every scenario without a stroke: what it passes, and that it is sound by itself. */
export async function probeAll(
  settings: { readonly instances: readonly number[]; readonly seed: number },
  scenarios: readonly Scenario[] = SCENARIOS,
): Promise<readonly Probe[]> {
  const probes: Probe[] = [];
  for (const scenario of scenarios)
    for (const instances of settings.instances) {
      const setting = { scenario, instances, seed: settings.seed };
      probes.push({ ...setting, outcome: await runCell(setting) });
    }
  return probes;
}

/** Steps of the code's list that no scenario passes, and steps that are passed and stand on no list. */
export function uncovered(probes: readonly Probe[]): {
  readonly notVisited: readonly string[];
  readonly notListed: readonly string[];
} {
  const visited = new Set(probes.flatMap(({ outcome }) => [...outcome.strike.steps]));
  return {
    notVisited: EXPECTED_STEPS.filter((step) => !visited.has(step)),
    notListed: [...visited].filter((step) => !EXPECTED_STEPS.includes(step)).toSorted(),
  };
}

export interface FailedCell {
  readonly cell: string;
  readonly faults: readonly string[];
}

/** Runs the cells one by one; hands each failure over as it comes. */
export async function runMatrix(
  cells: readonly Cell[],
  onCell: (cell: Cell, faults: readonly string[]) => void = () => undefined,
): Promise<readonly FailedCell[]> {
  const failed: FailedCell[] = [];
  for (const cell of cells) {
    const { faults } = await runCell(cell, cell.target);
    onCell(cell, faults);
    if (faults.length > 0) failed.push({ cell: cellName(cell), faults });
  }
  return failed;
}
