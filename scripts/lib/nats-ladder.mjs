import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { cacheDir } from './paths.mjs';
import { RECOMMENDED_NATS, atLeast, firstLine, probeNats } from './nats-version.mjs';
import { natsRungs } from './nats-rungs.mjs';
import { onPath } from './programs.mjs';
import { SetupError, say } from './say.mjs';

/**
 * One way to get a NATS server.
 * @typedef {object} Rung
 * @property {string} name what it is, for people
 * @property {string} byHand how a person would do it
 * @property {() => string | undefined} unusable why it does not apply to this machine, undefined when it does
 * @property {(target: string) => Promise<void>} fetch puts the program at `target`, or makes it appear on the PATH
 */

/** @typedef {{ binary: string, version: number[], source: string }} FoundNats */

/**
 * Finds a NATS server, fetching one when the machine has none.
 * @param {{ env?: NodeJS.ProcessEnv, rungs?: readonly Rung[], probe?: typeof probeNats, cache?: string, tell?: (text: string) => void }} [options]
 * @returns {Promise<FoundNats>}
 * @throws {SetupError} `nats-bin-unusable` when NATS_SERVER_BIN is set but no use, `nats-not-found` when every way failed
 */
export async function findNats({
  env = process.env,
  rungs = natsRungs(env),
  probe = probeNats,
  cache = cacheDir(env),
  tell = say,
} = {}) {
  const found = await searchNats({ env, rungs, probe, cache, tell });
  if (!atLeast(found.version, RECOMMENDED_NATS)) {
    tell(
      `Using nats-server ${found.version.join('.')} (${found.source}); ${RECOMMENDED_NATS.join('.')} or newer is recommended.`,
    );
  }
  return found;
}

/**
 * @param {{ env: NodeJS.ProcessEnv, rungs: readonly Rung[], probe: typeof probeNats, cache: string, tell: (text: string) => void }} options
 * @returns {Promise<FoundNats>}
 */
async function searchNats({ env, rungs, probe, cache, tell }) {
  if (env.NATS_SERVER_BIN) {
    const result = await probe(env.NATS_SERVER_BIN);
    if (result.ok) return { binary: env.NATS_SERVER_BIN, version: result.version, source: 'NATS_SERVER_BIN' };
    throw new SetupError(
      'nats-bin-unusable',
      `NATS_SERVER_BIN is set but cannot be used: ${result.reason}. Correct it, or unset it to let a server be found.`,
    );
  }
  /** @type {string[]} */
  const failures = [];
  const target = path.join(cache, 'nats-server');
  for (const [source, binary] of [
    ['PATH', onPath(env, 'nats-server')],
    ['cache', existsSync(target) ? target : undefined],
  ]) {
    if (binary === undefined) continue;
    const result = await probe(binary);
    if (result.ok) return { binary, version: result.version, source: source ?? '' };
    failures.push(`${source}: ${result.reason}`);
  }
  mkdirSync(cache, { recursive: true });
  for (const rung of rungs) {
    const unusable = rung.unusable();
    if (unusable !== undefined) {
      failures.push(`${rung.name}: ${unusable}`);
      continue;
    }
    tell(`Getting nats-server: ${rung.name} …`);
    try {
      await rung.fetch(target);
      const binary = existsSync(target) ? target : onPath(env, 'nats-server');
      const result = binary === undefined ? undefined : await probe(binary);
      if (binary !== undefined && result?.ok) return { binary, version: result.version, source: rung.name };
      failures.push(
        `${rung.name}: ${result === undefined ? 'it left no program behind' : 'reason' in result ? result.reason : ''}`,
      );
    } catch (error) {
      failures.push(`${rung.name}: ${firstLine(error)}`);
    }
  }
  throw new SetupError('nats-not-found', explain(failures, rungs, target));
}

/**
 * @param {readonly string[]} failures
 * @param {readonly Rung[]} rungs
 * @param {string} target
 */
function explain(failures, rungs, target) {
  const ways = [
    'set NATS_SERVER_BIN to the path of a nats-server you have',
    'put nats-server on the PATH',
    `put it at ${target}`,
    ...rungs.map((rung) => rung.byHand),
  ];
  return [
    'No usable nats-server was found, and none could be fetched.',
    'Tried:',
    ...failures.map((failure) => `  - ${failure}`),
    'Any one of these mends it:',
    ...ways.map((way) => `  - ${way}`),
    '  - set NATS_URL to a running NATS server with JetStream',
  ].join('\n');
}
