import { parseArgs } from 'node:util';
import { SCENARIOS } from './index.js';
import { playIn } from './scenario.js';
import { VARIANTS } from './variants.js';

const { values } = parseArgs({ options: { only: { type: 'string' }, variant: { type: 'string' } } });
let failed = 0;
for (const scenario of SCENARIOS.filter(({ title }) => title.includes(values.only ?? '')))
  for (const variant of VARIANTS.filter(({ name }) => name === (values.variant ?? name))) {
    const before = process.cpuUsage();
    let said = 'ok';
    try {
      await playIn(variant, scenario);
    } catch (error) {
      failed += 1;
      said = `FAILED ${error instanceof Error ? error.message.slice(0, 2_500) : String(error)}`;
    }
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(`${((user + system) / 1e6).toFixed(1)} s  ${variant.name}: ${scenario.title}: ${said}\n`);
  }
process.exitCode = failed > 0 ? 1 : 0;
