import type { Wish } from '../testing/wish.js';

/** One way in which Vast may really be, where its sources disagree or are silent. */
export interface Variant {
  readonly name: string;
  readonly vast: object;
  readonly settings?: Wish['settings'];
  /** Records of instances do not say which template a worker is on, so that its answers have to. */
  readonly isBlind: boolean;
}

const PACED = { minIntervalScale: 0.05 };
const KEEPS_PACE = { paceScale: 0.05 };

/**
 * Every value of every disputed switch stands in one of them. They are set together, since none of them bears on another; the command
 * line sets them one by one.
 */
export const VARIANTS: readonly Variant[] = [
  { name: 'as documented', vast: {}, isBlind: false },
  {
    name: 'otherwise',
    vast: {
      ...{ putEndpoint: 'reset-omitted', putWorkergroup: 'lenient', createWorkergroupId: 'result' },
      ...{ unknownBodyKeys: 'refuse', createTemplate: 'always-new', templateHashLookup: 'stale' },
      ...{ instanceTemplateFields: 'stale', workersShape: 'object', logsShape: 'logs', emptyEndpointList: 'empty' },
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
  },
];
