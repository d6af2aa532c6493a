#!/usr/bin/env node
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { prepare } from './lib/build.mjs';
import { runNode } from './lib/run-node.mjs';
import { repoRoot, stateDir } from './lib/paths.mjs';
import { runCommand, sayError } from './lib/say.mjs';
import { outcome, readSummary, summaryLine } from './lib/test-summary.mjs';

/** Runs the tests that Jest finds with the arguments, which are handed on; the last line of stdout is the count. */
await runCommand(async () => {
  const summaryFile = process.env.DAVIT_TEST_SUMMARY ?? path.join(stateDir, `test-summary-${process.pid}.json`);
  mkdirSync(path.dirname(summaryFile), { recursive: true });
  rmSync(summaryFile, { force: true });
  let code = 1;
  try {
    await prepare();
    const jest = path.join(repoRoot, 'node_modules', 'jest', 'bin', 'jest.js');
    const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
    code = await runNode([...flags, jest, ...process.argv.slice(2)], {
      env: { ...process.env, DAVIT_TEST_SUMMARY: summaryFile },
    });
  } catch (error) {
    sayError(error);
  }
  const { line, ok } = summaryLine(outcome(readSummary(summaryFile), code));
  if (!ok && code === 0) code = 1;
  process.stdout.write(`${line}\n`);
  if (process.env.DAVIT_TEST_SUMMARY === undefined) rmSync(summaryFile, { force: true });
  return code;
});
