import type { StockState } from '@davit/contracts';
import { multiplyAmount } from '@davit/domain';
import type { HttpOutcome } from '@davit/ports';
import { z } from 'zod';
import { decimalText, parseDecimalJson } from '../../decimal-json.js';
import { type Verdict, unknownBecause } from '../advisor.js';
import { sameGpuId } from './gpus.js';
import type { RunpodQuestion } from './question.js';

/** RunPod's words for stock, upper case. A word that is not here is not guessed at: it is unknown. */
const STATE_OF_LEVEL: Readonly<Record<string, StockState>> = {
  HIGH: 'available',
  MEDIUM: 'available',
  LOW: 'constrained',
  NONE: 'unavailable',
  '': 'unavailable',
};

const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number);
const level = z.string().nullable();

/** The parts of a catalogue entry that the decision needs. Numbers arrive as text; other fields may come and go. */
const catalogueEntry = z.object({
  id: z.string(),
  secure: z.boolean(),
  price: z.object({ secure: z.string().nullable() }),
  maxCount: z.object({ secure: wholeNumber }),
  availability: level,
  dataCenters: z.array(z.object({ id: z.string(), availability: level })).optional(),
});
type CatalogueEntry = z.infer<typeof catalogueEntry>;

/** The whole decision: what one answer of REST v2 (or its absence) says of the stock that was asked for. */
export function decideStock(outcome: HttpOutcome, question: RunpodQuestion): Verdict {
  if (outcome.kind === 'failure') return unknownBecause(`RunPod gave no answer: ${outcome.reason}`, 'outage');
  if (outcome.status !== 200) return decideRefusal(outcome.status, outcome.body, question);
  const entry = readEntry(outcome.body);
  if (typeof entry === 'string') return unknownBecause(entry, 'unreadable-answer');
  if (!sameGpuId(entry.id, question.gpu.id)) {
    return unknownBecause(`RunPod answered about another GPU type than ${question.gpu.id}`, 'unreadable-answer');
  }
  return decideEntry(entry, question);
}

function decideRefusal(status: number, body: string, { gpu }: RunpodQuestion): Verdict {
  if (status === 404) return unknownBecause(`no mapping: RunPod does not know the GPU type "${gpu.id}"`);
  if (status === 429) return unknownBecause('RunPod limits the rate of questions (429)', 'rate-limited');
  if (status === 401 || (status === 403 && isJson(body))) {
    return unknownBecause(
      `RunPod rejected the API key (${status}); a launch will probably fail too`,
      'credentials-rejected',
    );
  }
  // A 403 page comes from the proxy in front of RunPod and says nothing about the key.
  if (status === 403) return unknownBecause('the proxy in front of RunPod blocked the question (403)', 'outage');
  if (status >= 500) return unknownBecause(`RunPod is out of order (${status})`, 'outage');
  return unknownBecause(`RunPod did not accept the question (${status})`, 'bad-question');
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

function readEntry(body: string): CatalogueEntry | string {
  try {
    const parsed = catalogueEntry.safeParse(parseDecimalJson(body));
    if (parsed.success) return parsed.data;
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    return `RunPod's answer could not be read at "${path}"`;
  } catch {
    return "RunPod's answer is not JSON";
  }
}

function decideEntry(entry: CatalogueEntry, question: RunpodQuestion): Verdict {
  const { accelerator, count, gpu } = question;
  const what = `${accelerator}:${count} (${gpu.id})`;
  const permanent = (detail: string): Verdict => ({
    state: 'unavailable',
    level: entry.availability,
    scope: 'global',
    detail,
    permanent: true,
    price: null,
  });
  if (!entry.secure) return permanent(`RunPod does not offer ${what} on its secure cloud`);
  const most = entry.maxCount.secure;
  if (count > most) return permanent(`no machine of RunPod has ${what}; the largest has ${most}, so ask for fewer`);

  const { level: seen, scope, note } = observedLevel(entry, question);
  const state = STATE_OF_LEVEL[(seen ?? '').toUpperCase()];
  if (state === undefined) {
    return unknownBecause(
      `RunPod reports a level that is not known: "${(seen ?? '').slice(0, 40)}"`,
      'unreadable-answer',
    );
  }
  const { price, priceNote } = priceOf(entry, question);
  const notes = [note, priceNote].filter((text) => text !== null);
  return {
    state,
    level: seen,
    scope,
    detail: [`${what}: ${WORDS[state]}`, ...notes].join('; '),
    permanent: false,
    price,
  };
}

const WORDS: Readonly<Record<StockState, string>> = {
  available: 'in stock',
  constrained: 'little stock, a launch may fail',
  unavailable: 'no stock at present',
  unknown: 'not known',
};

type Observed = { readonly level: string | null; readonly scope: Verdict['scope']; readonly note: string | null };

/** The level at the scope that the answer really covers; a wider answer is never passed off as a narrow one. */
function observedLevel({ availability, dataCenters }: CatalogueEntry, { place }: RunpodQuestion): Observed {
  switch (place.kind) {
    case 'country':
      return { level: availability, scope: 'region', note: `in ${place.code}` };
    case 'global':
      return { level: availability, scope: 'global', note: place.note };
    case 'data-center': {
      const site = dataCenters?.find(({ id }) => id === place.id);
      if (site) return { level: site.availability, scope: 'zone', note: `at ${place.id}` };
      const note = `${place.id} is not in the answer: this is RunPod's signal for the whole cloud`;
      return { level: availability, scope: 'global', note };
    }
  }
}

/** RunPod quotes one GPU on demand; Davit compares whole instances. A price for another market is no price. */
function priceOf(
  entry: CatalogueEntry,
  { count, spot }: RunpodQuestion,
): { readonly price: string | null; readonly priceNote: string | null } {
  if (spot) return { price: null, priceNote: 'the catalogue quotes on demand only, so the spot price is not known' };
  const one = entry.price.secure === null ? null : decimalText(entry.price.secure);
  if (one === null) return { price: null, priceNote: 'no price was quoted' };
  return { price: multiplyAmount(one, count), priceNote: null };
}
