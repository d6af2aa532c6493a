/**
 * How the emulated service behaves where the real one is undocumented or its sources disagree; the first value of each
 * switch is the default. All may be turned while it runs (`world.vast.options`, or `PUT /vast` of the control interface).
 */
export interface VastOptions {
  readonly apiKey: string;
  /** Salt for the digests by which model servers know their keys. */
  readonly salt: string;

  /** Minimum intervals between calls, as a share of the published ones; 0 turns 429 off. */
  readonly minIntervalScale: number;
  readonly rateLimit: 'interval' | 'probabilistic' | 'token-bucket' | 'off';
  /** The four bodies of a 429 that have been seen. A token bucket has one of its own, with `Retry-After`. */
  readonly tooFrequentBody: 'text' | 'threshold' | 'detail' | 'json';

  readonly unknownKey: 404 | 401;
  readonly missingScope: 403 | 401;
  /** `accept` takes a key in query or body, as the service does; it is noted all the same. */
  readonly keyInUrl: 'refuse' | 'accept';
  /** What a key with permissions may do on the run host. */
  readonly runScopedKeys: 'allowed' | 'refused';
  /** Whether `misc` suffices to make a workergroup, or a key with every right and a deposit is needed. */
  readonly workergroupNeeds: 'misc' | 'admin-and-deposit';

  readonly emptyEndpointList: 'error' | 'empty';
  readonly createdAt: 'epoch' | 'iso';
  readonly putEndpoint: 'merge' | 'reset-omitted' | 'null-means-default';
  readonly putWorkergroup: 'needs-endpoint' | 'lenient';
  readonly createWorkergroupId: 'id' | 'result';
  readonly unknownBodyKeys: 'ignore' | 'refuse';
  /** `lingers` leaves one idle worker behind without saying so. */
  readonly deleteWorkergroup: 'destroys' | 'lingers';
  /** Workers that a delete leaves running and reports as failed. */
  readonly failedOnDelete: number;
  readonly createTemplate: 'upsert-on-name' | 'always-new';
  /** What a template hash without an id leads to: its content, or the template that was known before. */
  readonly templateHashLookup: 'exact' | 'stale';
  readonly instanceTemplateFields: 'move' | 'stale' | 'null';

  readonly workersShape: 'array' | 'object' | 'error-first' | 'string';
  /** For `error-first`: so many lists of each owner are an `error_msg`. */
  readonly workersErrorCalls: number;
  readonly logsShape: 'levels' | 'logs';
  /** What `/route/` says of an endpoint that the engine has not seen yet. */
  readonly routeUnseen: 'error-msg' | 'no-index';
  /** What starts a rolling update: the changed workergroup as well as the call, or one of them alone. */
  readonly rollTrigger: 'put-and-call' | 'put-only' | 'call-only';
  /** Whether `/update_workers/` takes workers that already have the template, too. */
  readonly updateSelects: 'outdated' | 'every';
  /** How many active workers are drained at once. */
  readonly updateConcurrency: number;
  /** Older workers verify every field but the signature. */
  readonly signedFields: 'url' | 'all';

  /** Load units a second that one worker can do. */
  readonly workerPerf: number;
  /** What a worker counts for before its benchmark. */
  readonly unbenchmarkedPerf: 'nominal' | 'dlperf';
  /** The worker's own limit of expected wait in seconds, above which it answers 429; null disables it. */
  readonly workerMaxQueueS: number | null;
  readonly failuresToDestroy: number;
  /** USD deposited at the start. */
  readonly credit: number;
  /** Characters of one level of one log, which is wiped when full. */
  readonly logBuffer: number;
}

export const VAST_DEFAULTS: Omit<VastOptions, 'apiKey' | 'salt'> = {
  minIntervalScale: 0,
  rateLimit: 'interval',
  tooFrequentBody: 'threshold',
  unknownKey: 404,
  missingScope: 403,
  keyInUrl: 'refuse',
  runScopedKeys: 'allowed',
  workergroupNeeds: 'misc',
  emptyEndpointList: 'error',
  createdAt: 'epoch',
  putEndpoint: 'merge',
  putWorkergroup: 'needs-endpoint',
  createWorkergroupId: 'id',
  unknownBodyKeys: 'ignore',
  deleteWorkergroup: 'destroys',
  failedOnDelete: 0,
  createTemplate: 'upsert-on-name',
  templateHashLookup: 'exact',
  instanceTemplateFields: 'move',
  workersShape: 'array',
  workersErrorCalls: 3,
  logsShape: 'levels',
  routeUnseen: 'error-msg',
  rollTrigger: 'put-and-call',
  updateSelects: 'outdated',
  updateConcurrency: 1,
  signedFields: 'url',
  workerPerf: 800,
  unbenchmarkedPerf: 'nominal',
  workerMaxQueueS: 30,
  failuresToDestroy: 3,
  credit: 10_000,
  logBuffer: 20_000,
};

type Check = (value: unknown) => boolean;
type SwitchName = keyof typeof VAST_DEFAULTS;

const among =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const amount: Check = (value) => typeof value === 'number' && value >= 0;
const count: Check = (value) => Number.isInteger(value) && amount(value);

/** What each switch may be turned to. */
export const VAST_SWITCHES: Readonly<Record<SwitchName, Check>> = {
  minIntervalScale: amount,
  rateLimit: among('interval', 'probabilistic', 'token-bucket', 'off'),
  tooFrequentBody: among('text', 'threshold', 'detail', 'json'),
  unknownKey: among(404, 401),
  missingScope: among(403, 401),
  keyInUrl: among('refuse', 'accept'),
  runScopedKeys: among('allowed', 'refused'),
  workergroupNeeds: among('misc', 'admin-and-deposit'),
  emptyEndpointList: among('error', 'empty'),
  createdAt: among('epoch', 'iso'),
  putEndpoint: among('merge', 'reset-omitted', 'null-means-default'),
  putWorkergroup: among('needs-endpoint', 'lenient'),
  createWorkergroupId: among('id', 'result'),
  unknownBodyKeys: among('ignore', 'refuse'),
  deleteWorkergroup: among('destroys', 'lingers'),
  failedOnDelete: count,
  createTemplate: among('upsert-on-name', 'always-new'),
  templateHashLookup: among('exact', 'stale'),
  instanceTemplateFields: among('move', 'stale', 'null'),
  workersShape: among('array', 'object', 'error-first', 'string'),
  workersErrorCalls: count,
  logsShape: among('levels', 'logs'),
  routeUnseen: among('error-msg', 'no-index'),
  rollTrigger: among('put-and-call', 'put-only', 'call-only'),
  updateSelects: among('outdated', 'every'),
  updateConcurrency: (value) => count(value) && value !== 0,
  signedFields: among('url', 'all'),
  workerPerf: (value) => amount(value) && value !== 0,
  unbenchmarkedPerf: among('nominal', 'dlperf'),
  workerMaxQueueS: (value) => value === null || amount(value),
  failuresToDestroy: (value) => count(value) && value !== 0,
  credit: amount,
  logBuffer: amount,
};
