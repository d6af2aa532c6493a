import { sameGpuId } from '@davit/contracts';
import type { HttpOutcome } from '@davit/ports';
import { z } from 'zod';
import { type Verdict, unknownBecause } from '../advisor.js';
import { ADVISOR_CALLS } from '../calls.js';
import type { Dialect } from '../provider.js';
import { type Reading, readable, wholeNumber } from '../read.js';
import { isJson, readOutcome } from '../refusal.js';
import { GLOBAL_SIGNAL, type RunpodQuestion, questionFor } from './question.js';
import { type Observed, decideShape } from './shape.js';

const CALL = ADVISOR_CALLS['runpod-v2'];

/** RunPod's REST v2 catalogue (https://docs.runpod.io/api-reference, read September 2026). It needs the key. */
export const runpodV2 = (baseUrl: string): Dialect<RunpodQuestion, CatalogueEntry> => ({
  source: 'runpod-v2',
  provider: 'RunPod',
  needsKey: true,
  keyVariable: 'RUNPOD_API_KEY',
  interruptible: 'spot',
  questionOf: questionFor,
  requestFor: (question) => ({ method: CALL.method, url: urlOf(baseUrl, question) }),
  read: readV2,
  decide: (entry, question) => decideShape(observedIn(entry, question), question),
});

/** Address of the question. The key is no part of it: that stands only in a header. */
export function urlOf(baseUrl: string, { gpu, count, place }: RunpodQuestion): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${CALL.path(gpu.runpod.id)}`);
  url.searchParams.set('include', 'AVAILABILITY');
  url.searchParams.set('product', 'POD');
  url.searchParams.set('count', String(count));
  url.searchParams.set('cloud', 'SECURE');
  if (place.kind === 'country') url.searchParams.set('countryCodes', place.code);
  return url.toString();
}

const level = z.string().nullable();

/** The parts of a catalogue entry that the decision needs. Numbers arrive as text; other fields may come and go. */
const catalogueEntry = z.object({
  id: z.string(),
  secure: z.boolean(),
  price: z.object({ secure: z.string().nullable() }),
  maxCount: z.object({ secure: wholeNumber }),
  availability: level,
  dataCenters: z.array(z.unknown()).nullish(),
});
type CatalogueEntry = z.infer<typeof catalogueEntry>;

const dataCenter = z.object({ id: z.string(), availability: level });

function readV2(outcome: HttpOutcome, { gpu }: RunpodQuestion): Reading<CatalogueEntry> {
  const { id } = gpu.runpod;
  const notFound = (body: string): Verdict =>
    isJson(body)
      ? unknownBecause(`no mapping: RunPod does not know the GPU type "${id}"`)
      : unknownBecause('RunPod has no catalogue at this address (404)', 'bad-question');
  const reading = readOutcome(outcome, catalogueEntry, { name: 'RunPod', notFound });
  if ('verdict' in reading || sameGpuId(reading.answer.id, id)) return reading;
  const raw = { id: reading.answer.id };
  return { verdict: unknownBecause(`RunPod answered about another GPU type than ${id}`, 'unreadable-answer', raw) };
}

function observedIn(entry: CatalogueEntry, question: RunpodQuestion): Observed {
  const { availability, price, secure, maxCount } = entry;
  const place = placeLevel(entry, question);
  return {
    secure,
    most: maxCount.secure,
    counts: [],
    // The catalogue quotes on demand only, and a price of another market is no price.
    priceOfOne: question.spot ? null : price.secure,
    ...place,
    raw: {
      availability: availability ?? 'null',
      ...place.raw,
      'maxCount.secure': String(maxCount.secure),
      secure: String(secure),
      'price.secure': price.secure ?? 'null',
    },
  };
}

type PlaceLevel = Pick<Observed, 'level' | 'scope' | 'notes' | 'raw'>;

/** The level at the scope that the answer really covers; a wider answer is never passed off as a narrow one. */
function placeLevel({ availability, dataCenters }: CatalogueEntry, { place }: RunpodQuestion): PlaceLevel {
  switch (place.kind) {
    case 'country':
      return { level: availability, scope: 'region', notes: [`in ${place.code}`], raw: {} };
    case 'global':
      return { level: availability, scope: 'global', notes: place.note === null ? [] : [place.note], raw: {} };
    case 'data-center': {
      const { known, unreadable } = readable(dataCenters ?? [], dataCenter);
      const site = known.find(({ id }) => id === place.id);
      if (site) {
        const raw = { [`dataCenters.${site.id}`]: site.availability ?? 'null' };
        return { level: site.availability, scope: 'zone', notes: [`at ${site.id}`], raw };
      }
      const lost = unreadable > 0 ? [`${unreadable} of its data centers could not be read`] : [];
      return {
        level: availability,
        scope: 'global',
        notes: [`${place.id} is not in the answer: ${GLOBAL_SIGNAL}`, ...lost],
        raw: {},
      };
    }
  }
}
