import { sameGpuId } from '@davit/contracts';
import type { HttpOutcome } from '@davit/ports';
import { z } from 'zod';
import { type Verdict, unknownBecause } from '../advisor.js';
import { ADVISOR_CALLS } from '../calls.js';
import type { Dialect } from '../provider.js';
import { type Reading, readable, wholeNumber } from '../read.js';
import { readOutcome } from '../refusal.js';
import { type GraphqlError, concerns, failureOf, graphqlError, wordsOf } from './graphql-errors.js';
import { GLOBAL_SIGNAL, type RunpodQuestion, questionFor } from './question.js';
import { type Observed, decideShape } from './shape.js';

const QUERY =
  'query Stock($types: GpuTypeFilter, $shape: GpuLowestPriceInput) { gpuTypes(input: $types) { ' +
  'id secureCloud maxGpuCountSecureCloud securePrice ' +
  'lowestPrice(input: $shape) { stockStatus uninterruptablePrice minimumBidPrice availableGpuCounts } } }';

/**
 * RunPod's GraphQL (https://graphql-spec.runpod.io, read September 2026), for accounts that are still on it. It answers
 * questions for stock without a key, and is to be retired early in 2027. It is asked without a place: nothing in its answer
 * tells whether a place was heeded, so its signal is always the one for the whole cloud.
 */
export const runpodGraphql = (url: string): Dialect<RunpodQuestion, Types> => ({
  source: 'runpod-graphql',
  provider: 'RunPod',
  needsKey: false,
  keyVariable: 'RUNPOD_API_KEY',
  interruptible: 'spot',
  questionOf: questionFor,
  requestFor: ({ gpu, count }) => ({
    method: ADVISOR_CALLS['runpod-graphql'].method,
    url,
    body: JSON.stringify({
      query: QUERY,
      variables: { types: { id: gpu.runpod.id }, shape: { gpuCount: count, secureCloud: true } },
    }),
  }),
  read: readGraphql,
  decide: decideTypes,
});

const response = z.object({
  data: z.object({ gpuTypes: z.array(z.unknown()).nullable() }).nullish(),
  errors: z.array(graphqlError).nullish(),
});

const price = z.string().nullish();
const gpuType = z.object({
  id: z.string(),
  secureCloud: z.boolean(),
  maxGpuCountSecureCloud: wholeNumber.nullish(),
  securePrice: price,
  lowestPrice: z
    .object({
      stockStatus: z.string().nullable(),
      uninterruptablePrice: price,
      minimumBidPrice: price,
      availableGpuCounts: z.array(wholeNumber).nullish(),
    })
    .nullable(),
});
type GpuType = z.infer<typeof gpuType>;

type Types = { readonly types: readonly unknown[]; readonly errors: readonly GraphqlError[] };

function readGraphql(outcome: HttpOutcome): Reading<Types> {
  const notFound = (): Verdict => unknownBecause('RunPod has no GraphQL at this address (404)', 'bad-question');
  const read = readOutcome(outcome, response, { name: 'RunPod', notFound });
  if ('verdict' in read) return read;
  const errors = read.answer.errors ?? [];
  const types = read.answer.data?.gpuTypes ?? null;
  return types === null ? { verdict: decideWithoutData(errors) } : { answer: { types, errors } };
}

function decideWithoutData(errors: readonly GraphqlError[]): Verdict {
  if (errors.length === 0) return unknownBecause("RunPod's answer has no data", 'unreadable-answer');
  const detail = `RunPod answered with errors and no data: ${wordsOf(errors)}`;
  return unknownBecause(detail, failureOf(errors), { errors: wordsOf(errors) });
}

/** What one answer of GraphQL says of the stock that was asked for. */
function decideTypes({ types, errors }: Types, question: RunpodQuestion): Verdict {
  const { id } = question.gpu.runpod;
  const { known, unreadable } = readable(types, gpuType);
  const index = types.findIndex((type) => gpuTypeId(type) !== undefined && sameGpuId(gpuTypeId(type) ?? '', id));
  const entry = known.find((type) => sameGpuId(type.id, id));
  if (!entry) {
    if (unreadable > 0) return unknownBecause("RunPod's answer could not be read at its GPU type", 'unreadable-answer');
    return unknownBecause(`no mapping: RunPod does not know the GPU type "${id}"`);
  }
  const about = errors.filter((error) => concerns(error, ['gpuTypes', index, 'lowestPrice']));
  if (about.length > 0 && !(entry.lowestPrice?.stockStatus ?? null)) {
    const detail = `RunPod answered with errors in place of stock: ${wordsOf(about)}`;
    return unknownBecause(detail, failureOf(about), { errors: wordsOf(about) });
  }
  return decideShape(observedIn(entry, errors, question), question);
}

const gpuTypeId = (type: unknown): string | undefined => z.object({ id: z.string() }).safeParse(type).data?.id;

/** What RunPod writes where nothing matches: an object of nulls, or null itself. */
const NOTHING: NonNullable<GpuType['lowestPrice']> = { stockStatus: null };

function observedIn(entry: GpuType, errors: readonly GraphqlError[], question: RunpodQuestion): Observed {
  const { lowestPrice, secureCloud, securePrice } = entry;
  const lowest = lowestPrice ?? NOTHING;
  const most = entry.maxGpuCountSecureCloud ?? null;
  const counts = lowest.availableGpuCounts ?? [];
  const onDemand = lowest.uninterruptablePrice ?? securePrice ?? null;
  const spot = lowest.minimumBidPrice ?? null;
  const failed = errors.length > 0 ? { errors: wordsOf(errors) } : {};
  return {
    secure: secureCloud,
    most,
    level: lowest.stockStatus,
    scope: 'global',
    counts,
    priceOfOne: question.spot ? spot : onDemand,
    notes: [...placeNote(question), ...Object.values(failed).map((codes) => `with errors: ${codes}`)],
    raw: {
      stockStatus: lowestPrice ? word(lowest.stockStatus) : 'lowestPrice null',
      availableGpuCounts: counts.join(','),
      uninterruptablePrice: word(lowest.uninterruptablePrice),
      minimumBidPrice: word(spot),
      securePrice: word(securePrice),
      maxGpuCountSecureCloud: word(most),
      secureCloud: String(secureCloud),
      ...failed,
    },
  };
}

const word = (value: string | number | null | undefined): string => String(value ?? null);

function placeNote({ place }: RunpodQuestion): readonly string[] {
  if (place.kind === 'global') return place.note === null ? [] : [place.note];
  return [`GraphQL was not asked about ${place.kind === 'country' ? place.code : place.id}: ${GLOBAL_SIGNAL}`];
}
