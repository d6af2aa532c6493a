#!/usr/bin/env node
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { SetupError, runCommand } from './lib/say.mjs';
import { startSystem } from './lib/system.mjs';

/** Ports that neither the demo nor the tests take. */
const FIRST_PORT = 8_680;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      /** Repeats the plan of an earlier run. */
      seed: { type: 'string' },
      /** Leaves data and logs in place for a look. */
      keep: { type: 'boolean', default: false },
    },
  });
  const minutes = positive('minutes', values.minutes);
  const seed = values.seed === undefined ? Math.floor(Date.now() / 1_000) : positive('seed', values.seed);
  await prepare();
  const { runChaos } = await import(pathToFileURL(path.join(repoRoot, 'test', 'e2e', 'dist', 'chaos', 'run.js')).href);
  return runChaos({
    minutes,
    seed,
    startSystem: (/** @type {import('./lib/system.d.mts').SystemOptions} */ options) =>
      startSystem({
        name: 'chaos-real',
        fresh: true,
        world: true,
        durable: false,
        firstPort: FIRST_PORT,
        removeOnStop: !values.keep,
        ...options,
        env: { ...options.env, DATABASE_URL: '', NATS_URL: '' },
      }),
  });
});

/**
 * @param {string} name
 * @param {string} text
 */
function positive(name, text) {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new SetupError('bad-argument', `--${name} is "${text}"; write a number above 0, for example --${name} 5.`);
}
