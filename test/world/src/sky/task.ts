import { parse } from 'yaml';
import { isObject, type JsonObject } from '../http/wire.js';
import { gpuByName } from '../cloud/gpus.js';
import { SkyError } from './text.js';

/** One place and shape in which a task may run. */
export interface Candidate {
  readonly cloud: string;
  readonly place: string | undefined;
  readonly accelerator: string;
  readonly gpuCount: number;
}

export interface Task {
  readonly name: string | null;
  readonly candidates: readonly Candidate[];
  readonly image: string | null;
  readonly diskSizeGb: number;
  readonly ports: readonly number[];
  readonly useSpot: boolean;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly envs: Readonly<Record<string, string>>;
  /** Names of secrets; the value is null when it must come from the command line. Literals stay out of the state. */
  readonly secrets: Readonly<Record<string, string | null>>;
  /** Installs what the machine needs, before `run`. */
  readonly setup: string;
  readonly run: string;
}

export const CLOUD_NAMES: Readonly<Record<string, string>> = {
  runpod: 'RunPod',
  vast: 'Vast',
  k8s: 'Kubernetes',
  kubernetes: 'Kubernetes',
  ssh: 'SSH',
  aws: 'AWS',
  gcp: 'GCP',
  azure: 'Azure',
  lambda: 'Lambda',
  nebius: 'Nebius',
};

/** Clouds on which SkyPilot applies labels; elsewhere they are dropped. */
export const LABELLED_CLOUDS = new Set(['aws', 'gcp', 'k8s', 'kubernetes']);

const KNOWN_TASK_KEYS = new Set(
  'name workdir num_nodes resources file_mounts envs secrets setup run config service event_callback inputs outputs experimental volumes api_server'.split(
    ' ',
  ),
);

const invalidConfig = (message: string): SkyError => new SkyError('InvalidSkyPilotConfigError', message);
const invalid = (message: string): SkyError => new SkyError('ValueError', message);

/** Reads a task file, or returns null if the text is not a mapping (SkyPilot then takes it for a command). */
export function parseTask(source: string, overrides: JsonObject = {}): Task | null {
  let document: unknown;
  try {
    document = parse(source);
  } catch {
    return null;
  }
  if (!isObject(document)) return null;
  for (const key of Object.keys(document))
    if (!KNOWN_TASK_KEYS.has(key)) throw invalidConfig(`Invalid task YAML: Found unsupported field '${key}'.`);
  const written = document['resources'] ?? {};
  if (!isObject(written)) throw invalid('Invalid task YAML: resources must be a mapping.');
  const resources: JsonObject = { ...written, ...overrides };
  return {
    name: typeof document['name'] === 'string' ? document['name'] : null,
    candidates: candidatesOf(resources),
    image: typeof resources['image_id'] === 'string' ? resources['image_id'] : null,
    diskSizeGb: Number.parseInt(textOf(resources['disk_size'] ?? 256), 10),
    ports: portsOf(resources['ports']),
    useSpot: resources['use_spot'] === true,
    labels: isObject(resources['labels']) ? textMap(resources['labels']) : null,
    envs: isObject(document['envs']) ? textMap(document['envs']) : {},
    secrets: secretsOf(document['secrets']),
    setup: typeof document['setup'] === 'string' ? document['setup'] : '',
    run: typeof document['run'] === 'string' ? document['run'] : '',
  };
}

function candidatesOf(resources: JsonObject): readonly Candidate[] {
  const alternatives = resources['any_of'] ?? resources['ordered'];
  const shapes = Array.isArray(alternatives) ? alternatives.filter(isObject) : [{}];
  return shapes.flatMap((shape) => {
    const merged: JsonObject = { ...resources, ...shape };
    const [cloud, place] = infraOf(merged);
    return acceleratorsOf(merged['accelerators']).map((accelerator) => ({ cloud, place, ...accelerator }));
  });
}

function infraOf(resources: JsonObject): [cloud: string, place: string | undefined] {
  const infra = resources['infra'] ?? resources['cloud'] ?? 'runpod';
  const [cloudName = '', region, zone] = textOf(infra).split('/');
  const cloud = cloudName === '*' ? 'runpod' : cloudName.toLowerCase();
  if (!(cloud in CLOUD_NAMES))
    throw invalidConfig(
      `Invalid resources YAML: '${cloudName}' does not match '^(?:(?i:(${Object.keys(CLOUD_NAMES).join('|')})).*$'. Check problematic field(s): $.infra`,
    );
  const place = zone !== undefined && zone !== '*' ? zone : region;
  return [cloud, place === undefined || place === '*' ? undefined : place];
}

function acceleratorsOf(value: unknown): readonly { readonly accelerator: string; readonly gpuCount: number }[] {
  if (value === undefined || value === null) return [{ accelerator: '', gpuCount: 0 }];
  const listed = Array.isArray(value)
    ? value.map(textOf)
    : isObject(value)
      ? Object.entries(value).map(([name, count]) => `${name}:${textOf(count ?? 1)}`)
      : [textOf(value)];
  return listed.map((item) => {
    const [name = '', count = '1'] = item.split(':');
    const gpuCount = Number(count);
    if (!Number.isInteger(gpuCount) || gpuCount < 1) throw invalid(`Invalid accelerator count in '${item}'.`);
    return { accelerator: gpuByName(name.trim())?.accelerator ?? name.trim(), gpuCount };
  });
}

function portsOf(value: unknown): readonly number[] {
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',');
  return items.flatMap((item) => {
    const range = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(item);
    const first = Number(range?.[1]);
    const last = Number(range?.[2] ?? range?.[1]);
    if (!range || first < 1 || last > 65_535 || last < first) throw invalid(`Invalid port '${item}'.`);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function secretsOf(value: unknown): Readonly<Record<string, string | null>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => [name, given === null ? null : textOf(given)]),
  );
}

const textMap = (value: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, textOf(item ?? '')]));

/** YAML scalars as text; anything deeper is a mistake in the file. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid('Invalid task YAML: expected a scalar.');
}

/** The table that every launch prints of what it may run on. Its figures are for people. */
export function consideredResources({ candidates }: Task): readonly string[] {
  const rule = '-'.repeat(79);
  const rows = candidates.map(({ cloud, accelerator, gpuCount }, index) => {
    const gpus = accelerator === '' ? '-' : `${accelerator}:${gpuCount}`;
    const chosen = index === 0 ? '    ✔' : '';
    return ` ${CLOUD_NAMES[cloud] ?? cloud} (US)   ${gpuCount}x_${accelerator}_SECURE   4       16        ${gpus}   0.10     ${chosen}`;
  });
  const head = ' INFRA         INSTANCE         vCPUs   Mem(GB)   GPUS     COST ($)   CHOSEN   ';
  return ['Considered resources (1 node):', rule, head, rule, ...rows, rule];
}
