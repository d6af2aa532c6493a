import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { heapFlags } from './heap.mjs';
import { onPath } from './programs.mjs';
import { repoRoot } from './paths.mjs';
import { httpAnswers, tcpAnswers } from './ready.mjs';
import { SetupError } from './say.mjs';

/** @typedef {import('./supervisor.mjs').ChildSpec} ChildSpec */

/**
 * The services in the order in which they are listed to people, with the port each has when it is free.
 * @type {readonly { name: string, port: number }[]}
 */
export const SERVICES = [
  { name: 'spec-api', port: 7600 },
  { name: 'orchestrator', port: 7601 },
  { name: 'skypilot-agent', port: 7602 },
  { name: 'capacity-advisor', port: 7603 },
  { name: 'runtime-prober', port: 7604 },
  { name: 'router-registry', port: 7605 },
  { name: 'vast-serverless', port: 7606 },
];

/**
 * What the simulated world says about itself once it is ready.
 * @typedef {object} WorldInfo
 * @property {string} controlUrl
 * @property {string} skyBin
 * @property {string} skyHome holds `.sky` with its catalogues
 * @property {string} runpodUrl
 * @property {string} vastConsoleUrl
 * @property {string} vastRunUrl
 * @property {string} vastOpenaiUrl
 * @property {string} vastTemplateHash
 * @property {{ runpod: string, vast: string }} keys
 */

/**
 * @param {import('./postgres.mjs').PostgresLaunch} launch
 * @param {number} port
 * @returns {ChildSpec}
 */
export function postgresSpec(launch, port) {
  // SIGTERM would wait for every client to leave; SIGINT disconnects them and still shuts down cleanly.
  return {
    name: 'postgres',
    argv: launch.argv,
    env: launch.env,
    account: launch.account,
    ready: () => tcpAnswers(port),
    stopSignal: 'SIGINT',
  };
}

/**
 * @param {string} binary
 * @param {string} config
 * @param {number} port
 * @returns {ChildSpec}
 */
export function natsSpec(binary, config, port) {
  return { name: 'nats', argv: [binary, '-c', config], env: baseEnvironment(), ready: () => tcpAnswers(port) };
}

/**
 * @param {string} dir state of the world
 * @returns {ChildSpec}
 */
export function worldSpec(dir) {
  const main = compiled('test/world');
  mkdirSync(dir, { recursive: true });
  rmSync(path.join(dir, 'world.json'), { force: true });
  return {
    name: 'world',
    argv: [process.execPath, main],
    env: { ...baseEnvironment(), WORLD_DIR: dir, WORLD_PORT: '0' },
    ready: () => existsSync(path.join(dir, 'world.json')),
  };
}

/**
 * @param {string} dir
 * @returns {WorldInfo}
 */
export function readWorld(dir) {
  return JSON.parse(readFileSync(path.join(dir, 'world.json'), 'utf8'));
}

/**
 * @param {string} name
 * @param {number} port
 * @param {NodeJS.ProcessEnv} shared what all services are told
 * @param {string} home state folder of the service
 * @returns {ChildSpec}
 */
export function serviceSpec(name, port, shared, home) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return {
    name,
    argv: [process.execPath, '--enable-source-maps', ...heapFlags(name), compiled(`apps/${name}`)],
    env: { ...shared, HOST: '127.0.0.1', PORT: String(port), DAVIT_SERVICE: name, DAVIT_HOME: home },
    ready: () => httpAnswers(`http://127.0.0.1:${port}/readyz`),
  };
}

/**
 * What every service is told about the outside: the simulated world's addresses, or those of the person's own environment.
 * @param {{ databaseUrl: string, natsUrl: string, world: WorldInfo | undefined, env?: NodeJS.ProcessEnv }} options
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnvironment({ databaseUrl, natsUrl, world, env = process.env }) {
  const outside =
    world === undefined
      ? { SKY_BIN: env.SKY_BIN ?? onPath(env, 'sky') }
      : {
          SKY_BIN: world.skyBin,
          // Never the person's own, whose list prices are of the real world.
          DAVIT_SKY_CATALOGUE: path.join(world.skyHome, '.sky', 'catalogs', 'v8'),
          RUNPOD_API_URL: world.runpodUrl,
          RUNPOD_API_KEY: world.keys.runpod,
          VAST_CONSOLE_URL: world.vastConsoleUrl,
          VAST_RUN_URL: world.vastRunUrl,
          VAST_OPENAI_URL: world.vastOpenaiUrl,
          VAST_API_KEY: world.keys.vast,
          VAST_TEMPLATE_API_KEY: world.keys.vast,
          // Workers of the simulated Vast speak plain HTTP.
          VAST_WORKER_CA_FILE: '',
          DAVIT_PROMPTS_DIR: env.DAVIT_PROMPTS_DIR ?? path.join(repoRoot, 'docs', 'examples', 'prompts'),
        };
  return {
    ...baseEnvironment(env),
    LOG_LEVEL: env.LOG_LEVEL ?? 'info',
    DAVIT_INSTALLATION: env.DAVIT_INSTALLATION ?? 'local',
    ...outside,
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
  };
}

/**
 * The person's environment without what npm adds, so that a service does not depend on how the command was started.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function baseEnvironment(env = process.env) {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !/^npm_|^INIT_CWD$|^NODE_OPTIONS$/i.test(key)));
}

/** @param {string} folder */
function compiled(folder) {
  const main = path.join(repoRoot, folder, 'dist', 'main.js');
  if (!existsSync(main))
    throw new SetupError(
      'not-built',
      `${path.relative(repoRoot, main)} is missing. Compile the sources with: npm run build`,
    );
  return main;
}
