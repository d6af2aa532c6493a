import type { Wish } from '../testing/wish.js';

/** One way in which Vast may really be, where its sources disagree or are silent. */
export interface Variant {
  readonly name: string;
  readonly vast: object;
  readonly settings?: Wish['settings'];
  /** Records of instances do not say which template a worker is on, so that its answers have to. */
  readonly isBlind: boolean;
  readonly isScoped?: boolean;
}

const PACED = { minIntervalScale: 0.05 };
const KEEPS_PACE = { paceScale: 0.05 };

/**
 * Every value of every disputed switch that lets a rollout go on stands in one of them. They are set together, since none of them bears on
 * another; {@link SINGLY} has them one by one.
 */
export const VARIANTS: readonly Variant[] = [
  { name: 'as documented', vast: {}, isBlind: false },
  {
    name: 'otherwise',
    vast: {
      ...{ putEndpoint: 'reset-omitted', putWorkergroup: 'lenient', createWorkergroupId: 'result' },
      ...{ unknownBodyKeys: 'refuse', createTemplate: 'always-new', templateHashLookup: 'stale' },
      ...{ instanceTemplateFields: 'stale', workersShape: 'object', logsShape: 'logs', emptyEndpointList: 'empty' },
      deleteWorkergroup: 'lingers',
      ...{ unknownKey: 401, missingScope: 401, keyInUrl: 'accept', createdAt: 'iso', unbenchmarkedPerf: 'dlperf' },
      ...{ rollTrigger: 'call-only', updateSelects: 'every', updateConcurrency: 2, signedFields: 'all' },
      ...{ routeUnseen: 'no-index', rateLimit: 'token-bucket', tooFrequentBody: 'json', ...PACED },
    },
    settings: KEEPS_PACE,
    isBlind: true,
  },
  {
    name: 'otherwise still',
    vast: {
      ...{ putEndpoint: 'null-means-default', instanceTemplateFields: 'null', workersShape: 'error-first' },
      ...{ rollTrigger: 'put-only', rateLimit: 'probabilistic', tooFrequentBody: 'detail', ...PACED },
    },
    settings: KEEPS_PACE,
    isBlind: true,
    isScoped: true,
  },
];

const singly = (name: string, value: unknown, more: object = {}): Variant => ({
  name: `${name} ${String(value)}`,
  vast: { [name]: value, ...more },
  // Records of instances that do not move tell nothing.
  isBlind: name === 'instanceTemplateFields',
});
const paced = (name: string, value: unknown): Variant => ({ ...singly(name, value, PACED), settings: KEEPS_PACE });

/** Each disputed switch alone, at each value that is not its default. */
export const SINGLY: readonly Variant[] = [
  singly('putEndpoint', 'reset-omitted'),
  singly('putEndpoint', 'null-means-default'),
  singly('putWorkergroup', 'lenient'),
  singly('createWorkergroupId', 'result'),
  singly('unknownBodyKeys', 'refuse'),
  singly('createTemplate', 'always-new'),
  singly('templateHashLookup', 'stale'),
  singly('instanceTemplateFields', 'stale'),
  singly('instanceTemplateFields', 'null'),
  singly('workersShape', 'object'),
  singly('workersShape', 'error-first'),
  singly('logsShape', 'logs'),
  singly('emptyEndpointList', 'empty'),
  singly('unknownKey', 401),
  singly('missingScope', 401),
  singly('keyInUrl', 'accept'),
  singly('createdAt', 'iso'),
  singly('unbenchmarkedPerf', 'dlperf'),
  singly('rollTrigger', 'call-only'),
  singly('rollTrigger', 'put-only'),
  singly('updateSelects', 'every'),
  singly('updateConcurrency', 2),
  singly('signedFields', 'all'),
  singly('routeUnseen', 'no-index'),
  singly('deleteWorkergroup', 'lingers'),
  paced('rateLimit', 'interval'),
  paced('rateLimit', 'probabilistic'),
  paced('rateLimit', 'token-bucket'),
  paced('rateLimit', 'off'),
  ...['text', 'detail', 'json'].map((body) => paced('tooFrequentBody', body)),
  { name: 'a key that may do what is needed and no more', vast: {}, isBlind: false, isScoped: true },
];
