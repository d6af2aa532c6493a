import { parseArgs } from 'node:util';
import { SCENARIOS } from './index.js';
import { type Outcome, playIn } from './scenario.js';
import { SINGLY, VARIANTS } from './variants.js';

const { values } = parseArgs({
  options: {
    /** Only scenarios whose title contains this. */
    only: { type: 'string', default: '' },
    /** Only the variant of this name; where there is none, those whose name contains it. */
    variant: { type: 'string', default: '' },
    /** `all`: each disputed switch by itself as well. */
    switches: { type: 'string', default: 'together' },
  },
});
const variants = [...VARIANTS, ...(values.switches === 'all' ? SINGLY : [])];
const named = variants.filter(({ name }) => name === values.variant);
const chosen = named.length > 0 ? named : variants.filter(({ name }) => name.includes(values.variant));
const total = { played: 0, failed: 0 };
for (const variant of chosen)
  for (const scenario of SCENARIOS.filter(({ title }) => title.includes(values.only))) {
    const before = process.cpuUsage();
    total.played += 1;
    let said = 'ok';
    try {
      await playIn(variant, scenario);
    } catch (error) {
      total.failed += 1;
      said = `FAILED ${error instanceof Error ? error.message.slice(0, 2_500) : String(error)}`;
    }
    // Whoever started this is told piece by piece.
    process.send?.({ title: scenario.title, said } satisfies Outcome);
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(`${((user + system) / 1e6).toFixed(1)} s  ${variant.name}: ${scenario.title}: ${said}\n`);
  }
process.stdout.write(`${JSON.stringify(total)}\n`);
process.exitCode = total.failed > 0 || total.played === 0 ? 1 : 0;
