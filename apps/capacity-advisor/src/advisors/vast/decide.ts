import type { StockState } from '@davit/contracts';
import type { HttpOutcome } from '@davit/ports';
import { z } from 'zod';
import { type Verdict, unknownBecause } from '../advisor.js';
import { type Reading, readable } from '../read.js';
import { readOutcome } from '../refusal.js';
import { type VastOffer, isThere, priceOf, quoteOf, satisfies, vastOffer } from './offers.js';
import { MOST_OFFERS, type VastQuestion } from './question.js';

const answered = z.object({
  success: z.boolean().nullish(),
  error: z.string().nullish(),
  offers: z.array(z.unknown()).nullish(),
});

/** Up to so many offers are little: each is one machine, gone when somebody takes it. */
const FEW = 2;

/** The list of an answer: the offers that could be read, and how many it had in all. */
export type Offers = { readonly known: readonly VastOffer[]; readonly count: number };

export function readOffers(outcome: HttpOutcome): Reading<Offers> {
  const read = readOutcome(outcome, answered, { name: 'Vast', notFound: decideNotFound });
  if ('verdict' in read) return read;
  const { success, error, offers } = read.answer;
  if (success === false) return { verdict: decideRefused(error ?? null) };
  if (!offers) return { verdict: unknownBecause('Vast\'s answer could not be read at "offers"', 'unreadable-answer') };
  return { answer: { known: readable(offers, vastOffer).known, count: offers.length } };
}

/** Vast answers 404 to a key that it does not know. */
function decideNotFound(body: string): Verdict {
  if (/"auth_error"/.test(body)) {
    return unknownBecause('Vast rejected the API key (404); a launch will probably fail too', 'credentials-rejected');
  }
  return unknownBecause('Vast has no search of offers at this address (404)', 'bad-question');
}

const ERROR_WORD = /^[a-z][a-z_]{0,39}$/;

function decideRefused(error: string | null): Verdict {
  const word = error !== null && ERROR_WORD.test(error) ? error : 'no reason given';
  const failure =
    word === 'auth_error' ? 'credentials-rejected' : word.includes('rate') ? 'rate-limited' : 'bad-question';
  return unknownBecause(`Vast refused the question: ${word}`, failure, { success: 'false', error: word });
}

/** What the offers of Vast, or their absence, say of the stock that was asked for. */
export function decideOffers({ known, count: total }: Offers, question: VastQuestion): Verdict {
  const unreadable = total - known.length;
  const satisfying = known.filter((offer) => satisfies(offer, question));
  const fitting = satisfying.filter((offer) => isThere(offer, question) === true);
  const nowhere = satisfying.filter((offer) => isThere(offer, question) === null).length;
  const raw = {
    offers: String(total),
    'offers that satisfy': String(fitting.length),
    ...(unreadable > 0 ? { 'offers not readable': String(unreadable) } : {}),
    ...(nowhere > 0 ? { 'offers of no known place': String(nowhere) } : {}),
    ...(fitting.length > 0 ? { gpu_name: [...new Set(fitting.map((offer) => offer.gpu_name))].sort().join(', ') } : {}),
  };
  const partial = partialNotes(total, unreadable, nowhere);
  const [doubt] = partial;
  if (fitting.length === 0 && doubt !== undefined) {
    // More elsewhere than could be read is nobody's failure; anything else is a list that was not what was asked for.
    const failure = satisfying.length > 0 && unreadable === 0 ? undefined : 'unreadable-answer';
    return unknownBecause(`Vast names no offer that satisfies, but ${doubt}`, failure, raw);
  }
  const { accelerator, count, country } = question;
  const state: StockState = fitting.length === 0 ? 'unavailable' : fitting.length <= FEW ? 'constrained' : 'available';
  const price = quoteOf(fitting.map((offer) => priceOf(offer, question)));
  const many = `${fitting.length}${total >= MOST_OFFERS ? ' or more' : ''}`;
  const said = `${accelerator}:${count}: ${WORDS[state]} (${many} that satisfy)`;
  return {
    state,
    level: `${many} ${fitting.length === 1 ? 'offer' : 'offers'}`,
    scope: country === null ? 'global' : 'region',
    detail: [said, ...notesOf(question, fitting.length > 0 && price === null), ...partial].join('; '),
    permanent: false,
    price,
    raw,
  };
}

/** What keeps a list from being the whole truth. */
const partialNotes = (offers: number, unreadable: number, nowhere: number): readonly string[] => [
  ...(unreadable > 0 ? [`${unreadable} more could not be read`] : []),
  ...(nowhere > 0 ? [`${nowhere} more do not say where they are`] : []),
  ...(offers >= MOST_OFFERS ? ['there are more than were read'] : []),
];

const notesOf = ({ country, unsearchable, spot }: VastQuestion, priceless: boolean): readonly string[] => [
  ...(country === null ? [] : [`in ${country}`]),
  ...(unsearchable === null
    ? []
    : [`Vast cannot be searched by "${unsearchable}": this is its signal for the whole market`]),
  ...(priceless ? [`no ${spot ? 'bid' : 'price'} is named`] : []),
];

const WORDS: Readonly<Record<StockState, string>> = {
  available: 'several offers',
  constrained: 'few offers, any may be gone',
  unavailable: 'no offer at present',
  unknown: 'not known',
};
