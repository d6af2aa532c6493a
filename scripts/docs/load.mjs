import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repoRoot } from '../lib/paths.mjs';

/**
 * What the reference is made from: the schemas and programs themselves.
 * @typedef {object} Sources
 * @property {typeof import('@davit/contracts')} contracts
 * @property {typeof import('@davit/domain')} domain
 * @property {typeof import('@davit/contracts/published')} published
 * @property {import('zod').ZodObject} commonConfig
 * @property {readonly Metric[]} commonMetrics what every service shows on `/metrics`
 * @property {readonly Metric[]} fleetMetrics what the prober shows on `/metrics/fleet`
 * @property {readonly Service[]} services in alphabetical order
 * @property {import('commander').Command} program
 * @property {Readonly<Record<string, number>>} exitCodes
 * @property {readonly import('@davit/provider-kit').SupportRow[]} support
 */

/**
 * @typedef {object} Service
 * @property {string} name
 * @property {import('zod').ZodObject | undefined} config its own variables; undefined when it has none
 * @property {string | undefined} configFile source of these, relative to the root
 * @property {readonly Metric[]} metrics what it shows on `/metrics` beside what all do
 */

/** @typedef {import('@davit/service-kit').MetricDefinition} Metric */

/** Every folder under `apps` that runs as a service: those that are started by a `main.ts` and are no command or page. */
export const serviceNames = () =>
  readdirSync(path.join(repoRoot, 'apps'))
    .filter((name) => existsSync(path.join(repoRoot, 'apps', name, 'src', 'app.module.ts')))
    .sort();

/**
 * `config.ts`, or one that says whose it is: `spec-api-config.ts`.
 * @param {string} service
 */
function findConfigFile(service) {
  const folder = `apps/${service}/src`;
  const file = readdirSync(path.join(repoRoot, folder)).find((name) => /^(.+-)?config\.ts$/.test(name));
  return file === undefined ? undefined : `${folder}/${file}`;
}

/**
 * @param {'dist' | 'src'} from compiled code, or sources where the caller can read TypeScript
 * @returns {Promise<Sources>}
 */
export async function loadSources(from) {
  /** @param {string} folder @param {string} file */
  const load = (folder, file) => {
    const name = path.join(repoRoot, folder, from, `${file}.${from === 'dist' ? 'js' : 'ts'}`);
    return import(pathToFileURL(name).href);
  };
  const services = [];
  for (const name of serviceNames()) {
    const configFile = findConfigFile(name);
    const own = configFile === undefined ? {} : await load(`apps/${name}`, path.basename(configFile, '.ts'));
    const { METRICS } = await load(`apps/${name}`, 'telemetry/definitions');
    services.push({ name, configFile, config: Object.values(own).find(isZodObject), metrics: METRICS });
  }
  const [contracts, domain, published, common, cli, codes, claims, metrics, fleet] = [
    await load('libs/contracts', 'index'),
    await load('libs/domain', 'index'),
    await load('libs/contracts', 'published/index'),
    await load('libs/service-kit', 'config/common'),
    await load('apps/cli', 'program'),
    await load('apps/cli', 'exit-codes'),
    await load('libs/provider-kit', 'support/rows'),
    await load('libs/service-kit', 'metrics/service-metrics'),
    await load('apps/runtime-prober', 'telemetry/definitions'),
  ];
  return {
    contracts,
    domain,
    published,
    commonConfig: common.commonConfig,
    commonMetrics: metrics.SERVICE_METRICS,
    fleetMetrics: fleet.FLEET_METRICS,
    services,
    program: cli.buildProgram(),
    exitCodes: codes.exitCodes,
    support: claims.SUPPORT,
  };
}

/**
 * @param {unknown} value
 * @returns {value is import('zod').ZodType}
 */
const isZodType = (value) => typeof value === 'object' && value !== null && '_zod' in value;

/**
 * @param {unknown} value
 * @returns {value is import('zod').ZodObject}
 */
export const isZodObject = (value) => isZodType(value) && value.def.type === 'object';
