import { isObject } from '../http/wire.js';
import { isProfile, PROFILE_VERSIONS, PROFILES, type Profile } from './profiles.js';

/** A LoRA adapter that is served beside its base model. */
export interface Adapter {
  readonly name: string;
  readonly path: string;
}

/** What the command line, the image and the environment of a model server settle. */
export interface ModelServerConfig {
  readonly profile: Profile;
  /** As the server claims it; vLLM's answers to errors and to a dead engine follow it too. */
  readonly version: string;
  readonly servedModelNames: readonly string[];
  /** The model path or hub name. */
  readonly root: string;
  readonly adapters: readonly Adapter[];
  readonly maxModelLen: number;
  /** Digest of the API key, with its salt; null when none is required. */
  readonly apiKey: { readonly salt: string; readonly sealed: string } | null;
  /** From start until the model serves. */
  readonly loadMs: number;
  readonly firstTokenMs: number;
  readonly tokenMs: number;
  /** Requests that one engine runs at once; the rest wait. */
  readonly maxRunning: number;
  /** Engines, one for each data-parallel rank. */
  readonly dataParallel: number;
  /** Processes of the front end (`--api-server-count`). */
  readonly apiServers: number;
  /** Whether statistics are published: what `--enable-metrics`, `--metrics` or `--disable-log-stats` decided. */
  readonly metrics: boolean;
  /** `VLLM_SERVER_DEV_MODE`: whether the engine can be put to sleep over HTTP. */
  readonly devMode: boolean;
  /** From 1e10 on, `e+010` as Python's client wrote until 0.25.0, or `e+10` as it does since. */
  readonly paddedExponents: boolean;
}

/** What a launch ends in that says no more than its model. */
export const MODEL_SERVER_DEFAULTS = {
  profile: 'vllm-newest',
  version: '0.11.0',
  adapters: [],
  maxModelLen: 8192,
  firstTokenMs: 8,
  tokenMs: 2,
  maxRunning: 16,
  dataParallel: 1,
  apiServers: 1,
  metrics: true,
  devMode: false,
  paddedExponents: true,
} as const satisfies Partial<ModelServerConfig>;

/** What may be different when a server is started again. */
export type ServerChange = Partial<Omit<ModelServerConfig, 'apiKey' | 'servedModelNames' | 'adapters' | 'root'>>;

const FLAGS = ['metrics', 'devMode', 'paddedExponents'] as const;
const TIMES = ['loadMs', 'firstTokenMs', 'tokenMs'] as const;
const COUNTS = ['maxModelLen', 'maxRunning', 'dataParallel', 'apiServers'] as const;

/** Reads a change; the text says which field is wrong. A profile brings its usual version unless one is given. */
export function serverChange(value: unknown): ServerChange | string {
  if (!isObject(value)) return 'a change of a server must be an object';
  const change: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const problem = problemOf(name, given);
    if (problem !== undefined) return problem;
    change[name] = given;
  }
  const { profile, version } = change;
  if (isProfile(profile) && version === undefined) change['version'] = PROFILE_VERSIONS[profile];
  return change;
}

function problemOf(name: string, given: unknown): string | undefined {
  const isOneOf = (names: readonly string[]): boolean => names.includes(name);
  if (name === 'profile') return isProfile(given) ? undefined : `profile must be one of ${PROFILES.join(', ')}`;
  if (name === 'version') return typeof given === 'string' ? undefined : 'version must be a text such as "0.10.0"';
  if (isOneOf(FLAGS)) return typeof given === 'boolean' ? undefined : `${name} must be true or false`;
  const number = typeof given === 'number' ? given : Number.NaN;
  if (isOneOf(TIMES)) return number >= 0 ? undefined : `${name} must be a number of at least 0`;
  if (isOneOf(COUNTS))
    return Number.isInteger(number) && number > 0 ? undefined : `${name} must be a whole number above 0`;
  return `${name} cannot be changed; what can be: profile, version, ${[...FLAGS, ...TIMES, ...COUNTS].join(', ')}`;
}
