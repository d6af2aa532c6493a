#!/usr/bin/env node
import path from 'node:path';
import { prepare } from './lib/build.mjs';
import { runNode } from './lib/run-node.mjs';
import { repoRoot } from './lib/paths.mjs';
import { runCommand } from './lib/say.mjs';

/** Each in a process of its own: the types of all of them together do not fit into one heap. */
const PARTS = [['libs'], ['apps'], ['test'], ['scripts', 'eslint.config.js', 'jest.config.js']];
const HEAP_MIB = 6144;
const bin = (/** @type {string[]} */ ...parts) => path.join(repoRoot, 'node_modules', ...parts);

/** Rules and form of every source; all of it is looked at, whatever is found first. Types of other packages are read as compiled. */
await runCommand(async () => {
  await prepare();
  let failed = 0;
  for (const part of PARTS) {
    const flags = [`--max-old-space-size=${HEAP_MIB}`, bin('eslint', 'bin', 'eslint.js')];
    failed += (await runNode([...flags, ...part], { stdout: 'inherit' })) === 0 ? 0 : 1;
  }
  failed +=
    (await runNode([bin('prettier', 'bin', 'prettier.cjs'), '--check', '.'], { stdout: 'inherit' })) === 0 ? 0 : 1;
  return failed === 0 ? 0 : 1;
});
