import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LIFE_TIMEOUT_MS, type Rig, startRig, urlOf } from './testing/rig.js';

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const page = readFileSync(path.join(root, 'docs', 'tutorial.md'), 'utf8');

interface Step {
  readonly commands: string;
  /** Lines of the output that the page shows, in their order. */
  readonly shown: readonly string[];
}

const fences = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const steps: readonly Step[] = fences.flatMap(({ language, text }, index) => {
  const next = fences[index + 1];
  const shown = next?.language === 'text' ? next.text.split('\n').filter((line) => line.trim() !== '') : [];
  return language === 'sh' ? [{ commands: text, shown }] : [];
});

const SEPARATOR = '\u001e';
let rig: Rig;

beforeAll(async () => {
  rig = await startRig('tutorial', { durable: true });
}, LIFE_TIMEOUT_MS);
afterAll(() => rig.system.stop(), LIFE_TIMEOUT_MS);

describe('the tutorial', () => {
  test('names one command that starts everything, and shows what every other one prints', () => {
    expect(fences.filter(({ language }) => language === 'bash').map(({ text }) => text)).toEqual(['npm run up\n']);
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter(({ shown }) => shown.length === 0)).toEqual([]);
  });

  test(
    'says what happens: each command, as it stands and in its order, prints what the page shows',
    async () => {
      const printed = await typed(steps.map(({ commands }) => commands));
      for (const [index, { commands, shown }] of steps.entries())
        expect({ commands, missing: missing(shown, printed[index] ?? '') }).toEqual({ commands, missing: [] });
    },
    LIFE_TIMEOUT_MS,
  );
});

/** What one shell prints for each block, up to the first that fails. */
async function typed(blocks: readonly string[]): Promise<readonly string[]> {
  const script = blocks.map((block) => `${block}\nprintf '${SEPARATOR}'\n`).join('');
  // The page speaks of a system that was started by hand, which keeps its state elsewhere.
  const here = script
    .replaceAll('./.davit/up/', `${rig.system.dir}/`)
    .replaceAll('.davit/longer', `${rig.system.dir}/longer`);
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', here], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: rig.system.dir, DAVIT_URL: urlOf(rig.system, 'spec-api') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  shell.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(shell, 'close');
  if (shell.exitCode !== 0) throw new Error(`the shell ended with ${shell.exitCode}: ${errors}\nafter ${out}`);
  return out.split(SEPARATOR);
}

/** Lines that do not come, each after the one before it; `…` stands for anything. */
function missing(shown: readonly string[], output: string): readonly string[] {
  const lines = output.split('\n').map(spaced);
  let from = 0;
  return shown.filter((line) => {
    const pattern = new RegExp(`^${spaced(line).split('…').map(escaped).join('.*')}$`);
    const found = lines.findIndex((printed, index) => index >= from && pattern.test(printed));
    if (found >= 0) from = found + 1;
    return found < 0;
  });
}

const spaced = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
