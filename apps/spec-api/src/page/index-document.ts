import { OPERATIONS } from '@davit/contracts';
import { CONTRACT_VERSION, PUBLISHED_NAMES } from '@davit/contracts/published';
import { publishedPath } from '../published/published.js';

/** What whoever asks for nothing in particular is told: where everything is. */
export interface IndexDocument {
  readonly name: 'Davit';
  /** Version of the published contract. */
  readonly contract: string;
  /** The files of the contract. */
  readonly documents: readonly string[];
  /** What may be read as it is, without a name or a filter. */
  readonly read: readonly string[];
  /** Events as they happen, as server-sent events. */
  readonly stream: string;
  readonly health: readonly string[];
}

const LISTS = OPERATIONS.filter(
  ({ method, media, params, query }) =>
    method === 'GET' && media === undefined && !params && (query?.safeParse({}).success ?? true),
);

export const INDEX: IndexDocument = {
  name: 'Davit',
  contract: CONTRACT_VERSION,
  documents: PUBLISHED_NAMES.map(publishedPath),
  read: LISTS.map(({ path }) => path).toSorted(),
  stream: '/v1/events/stream',
  health: ['/livez', '/readyz', '/metrics'],
};

/** For eyes: a person asks for it, not a program. */
export const INDEX_TEXT = `${JSON.stringify(INDEX, null, 2)}\n`;
