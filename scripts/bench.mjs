#!/usr/bin/env node
import { existsSync } from 'node:fs';
import path from 'node:path';
import { prepare } from './lib/build.mjs';
import { runNode } from './lib/run-node.mjs';
import { heapFlags } from './lib/heap.mjs';
import { repoRoot } from './lib/paths.mjs';
import { SetupError, runCommand } from './lib/say.mjs';
import { startSystem } from './lib/system.mjs';

const BENCHES = ['log', 'fleet', 'route', 'routes', 'stream', 'page', 'placement', 'metrics', 'probe', 'verdict'];
/** Those that need no server. */
const PURE = ['placement', 'metrics', 'probe', 'verdict'];

/** Runs one benchmark; where it needs them, on a PostgreSQL and a NATS server of its own, both as durable as in earnest. */
await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  await prepare();
  const program = path.join(repoRoot, 'test', 'bench', 'dist', `${name}.js`);
  if (!BENCHES.includes(name) || !existsSync(program))
    throw new SetupError('no-such-bench', `There is no benchmark "${name}". Known: ${BENCHES.join(', ')}.`);
  // Plans are made as where people ask for them.
  const flags = name === 'placement' ? heapFlags('spec-api') : [];
  if (PURE.includes(name)) return runNode([...flags, program, ...args], { stdout: 'inherit' });
  const system = await startSystem({
    name: `bench-${name}`,
    fresh: true,
    removeOnStop: true,
    services: name === 'route',
    world: false,
  });
  try {
    return await runNode([program, ...args], { env: system.env, stdout: 'inherit' });
  } finally {
    await system.stop();
  }
});
