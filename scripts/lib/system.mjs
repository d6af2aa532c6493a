import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDatabase } from './database.mjs';
import { writeNatsConfig } from './nats-config.mjs';
import { findNats } from './nats-ladder.mjs';
import { runsDir, stateDir } from './paths.mjs';
import { freePort } from './ports.mjs';
import { postgresAccount, reachableDir } from './postgres-files.mjs';
import { preparePostgres } from './postgres.mjs';
import { RunLedger, sweepDeadRuns } from './run-ledger.mjs';
import {
  SERVICES,
  natsSpec,
  postgresSpec,
  readWorld,
  serviceEnvironment,
  serviceSpec,
  worldSpec,
} from './run-plan.mjs';
import { say } from './say.mjs';
import { Supervisor } from './supervisor.mjs';

/** Last to end: the services write to these until they are gone. */
const STOP_ORDER = [['world'], ['nats'], ['postgres']];

/**
 * Starts PostgreSQL, NATS, the simulated world and the seven services, and waits until all are ready.
 * @type {typeof import('./system.d.mts').startSystem}
 */
export async function startSystem(options = {}) {
  const { name = 'up', fresh = false, services = true, durable = true, tell = say } = options;
  const env = { ...process.env, ...options.env };
  const withWorld = options.world ?? (services && env.DAVIT_WORLD !== 'off');
  const dir = path.join(stateDir, name);
  const ledger = new RunLedger(path.join(runsDir, name));
  const { ended } = await ledger.claim();
  if (ended.length > 0) tell(`Ended what an earlier run had left behind: ${ended.join(', ')}.`);
  await sweepDeadRuns(runsDir);
  if (fresh) removeState(dir);
  mkdirSync(dir, { recursive: true });

  const supervisor = new Supervisor({ ledger, logDir: path.join(dir, 'log'), tell });
  const stop = once(async () => {
    await supervisor.stopAll(STOP_ORDER);
    if (options.removeOnStop) removeState(dir);
  });
  const release = options.signals === false ? () => undefined : stopOnSignals(supervisor, stop, tell);
  try {
    /** @type {Set<number>} */
    const ports = new Set();
    const usual = usualPorts(options.firstPort);
    const place = { dir, ports, usual, durable, env };
    const [databaseUrl, natsUrl, world] = await Promise.all([
      startPostgres(supervisor, place),
      startNats(supervisor, place),
      withWorld ? startWorld(supervisor, path.join(dir, 'world')) : undefined,
    ]);
    const shared = serviceEnvironment({ databaseUrl, natsUrl, world, env });
    const urls = services ? await startServices(supervisor, { dir, ports, usual, shared }) : {};
    const system = { name, dir, databaseUrl, natsUrl, urls, world, env: { ...shared, DAVIT_URL: urls['spec-api'] } };
    writeFileSync(
      path.join(dir, 'system.json'),
      `${JSON.stringify({ databaseUrl, natsUrl, urls, world }, null, 2)}\n`,
      { mode: 0o600 },
    );
    return {
      ...system,
      stop: async () => {
        release();
        await stop();
      },
      worldInfo: () => world,
      pidOf: (child) => supervisor.pidOf(child),
      signalService: (child, signal) => supervisor.signal(child, signal),
      killService: (child) => supervisor.stop(child, 'SIGKILL'),
      stopService: (child) => supervisor.stop(child),
      restartService: (child) => supervisor.restart(child),
      addInstance: async (service) => {
        const port = await takePort(0, ports);
        const child = `${service}-2`;
        const spec = serviceSpec(service, port, shared, path.join(dir, 'home', child));
        await supervisor.start({ ...spec, name: child });
        return `http://127.0.0.1:${port}`;
      },
      wipeNats: async () => {
        await supervisor.stop('nats', 'SIGKILL');
        rmSync(path.join(dir, 'nats', 'store'), { recursive: true, force: true });
        await supervisor.restart('nats');
      },
    };
  } catch (error) {
    release();
    await stop();
    throw error;
  }
}

/** @typedef {{ dir: string, ports: Set<number>, usual: Ports, durable: boolean, env: NodeJS.ProcessEnv }} Place */
/** @typedef {{ postgres: number, nats: number, service: (index: number) => number }} Ports */

/**
 * @param {number | undefined} first
 * @returns {Ports} what each takes when it is free
 */
function usualPorts(first) {
  if (first === undefined) return { postgres: 5432, nats: 4222, service: (index) => SERVICES[index]?.port ?? 0 };
  return { postgres: first, nats: first + 1, service: (index) => first + 2 + index };
}

/**
 * @param {Supervisor} supervisor
 * @param {Place} place
 */
async function startPostgres(supervisor, { dir, ports, usual, durable, env }) {
  if (env.DATABASE_URL) return env.DATABASE_URL;
  const port = await takePort(usual.postgres, ports);
  const launch = await preparePostgres({ dataDir: path.join(dir, 'postgres'), port, durable });
  await supervisor.start(postgresSpec(launch, port));
  return ensureDatabase(launch.url, 'davit');
}

/**
 * @param {Supervisor} supervisor
 * @param {Place} place
 */
async function startNats(supervisor, { dir, ports, usual, durable, env }) {
  if (env.NATS_URL) return env.NATS_URL;
  const { binary, version } = await findNats({ env });
  const port = await takePort(usual.nats, ports);
  const config = writeNatsConfig({ dir: path.join(dir, 'nats'), port, version, durable });
  await supervisor.start(natsSpec(binary, config, port));
  return `nats://127.0.0.1:${port}`;
}

/**
 * @param {Supervisor} supervisor
 * @param {string} dir
 */
async function startWorld(supervisor, dir) {
  await supervisor.start(worldSpec(dir));
  return readWorld(dir);
}

/**
 * @param {Supervisor} supervisor
 * @param {{ dir: string, ports: Set<number>, usual: Ports, shared: NodeJS.ProcessEnv }} place
 * @returns {Promise<Record<string, string>>} base address by service
 */
async function startServices(supervisor, { dir, ports, usual, shared }) {
  const specs = [];
  for (const [index, { name }] of SERVICES.entries()) {
    const port = await takePort(usual.service(index), ports);
    specs.push({ name, port, spec: serviceSpec(name, port, shared, path.join(dir, 'home', name)) });
  }
  await Promise.all(specs.map(({ spec }) => supervisor.start(spec)));
  return Object.fromEntries(specs.map(({ name, port }) => [name, `http://127.0.0.1:${port}`]));
}

/**
 * @param {number} usual
 * @param {Set<number>} ports promised within this system
 */
async function takePort(usual, ports) {
  const port = await freePort(usual, ports);
  ports.add(port);
  return port;
}

/** @param {string} dir */
function removeState(dir) {
  const postgres = path.join(dir, 'postgres');
  const elsewhere = reachableDir(postgres, postgresAccount());
  for (const target of [elsewhere, `${elsewhere}.password`, dir]) rmSync(target, { recursive: true, force: true });
}

/**
 * The first Ctrl-C ends everything in order; a second one ends it at once.
 * @param {Supervisor} supervisor
 * @param {() => Promise<void>} stop
 * @param {(text: string) => void} tell
 * @returns {() => void} gives the signals back
 */
function stopOnSignals(supervisor, stop, tell) {
  let askedAt = 0;
  const handler = (/** @type {NodeJS.Signals} */ signal) => {
    // One Ctrl-C arrives twice below npm: from the terminal, and handed on by npm.
    if (askedAt !== 0 && Date.now() - askedAt < 1_000) return;
    if (askedAt !== 0) {
      supervisor.killAll();
      process.exit(130);
    }
    askedAt = Date.now();
    tell('\nStopping …');
    void stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}

/**
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>}
 */
function once(work) {
  /** @type {Promise<void> | undefined} */
  let running;
  return () => (running ??= work());
}
