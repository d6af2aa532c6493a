import type { StockState } from '@davit/contracts';
import type { HttpOutcome } from '@davit/ports';
import { z } from 'zod';
import { type Verdict, unknownBecause } from '../advisor.js';
import { readAnswer, readable } from '../read.js';
import { decideRefusal } from '../refusal.js';
import { cheapest, priceOf, satisfies, vastOffer } from './offers.js';
import { MOST_OFFERS, type VastQuestion } from './question.js';

const answered = z.object({
  success: z.boolean().nullish(),
  error: z.string().nullish(),
  offers: z.array(z.unknown()).nullish(),
});

/** Up to so many offers are little: each is one machine, gone when somebody takes it. */
const FEW = 2;

/** What the offers of Vast, or their absence, say of the stock that was asked for. */
export function decideOffers(outcome: HttpOutcome, question: VastQuestion): Verdict {
  const refusal = decideRefusal(outcome, { name: 'Vast', notFound: decideNotFound });
  if (refusal || outcome.kind === 'failure') return refusal ?? unknownBecause('Vast gave no answer', 'outage');
  const read = readAnswer(outcome.body, answered, 'Vast');
  if ('verdict' in read) return read.verdict;
  const { success, error, offers } = read.answer;
  if (success === false) return decideRefused(error ?? null);
  if (!offers) return unknownBecause('Vast\'s answer could not be read at "offers"', 'unreadable-answer');
  return decideList(offers, question);
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

function decideList(offers: readonly unknown[], question: VastQuestion): Verdict {
  const { known, unreadable } = readable(offers, vastOffer);
  const fitting = known.filter((offer) => satisfies(offer, question));
  const raw = {
    offers: String(offers.length),
    'offers that satisfy': String(fitting.length),
    ...(unreadable > 0 ? { 'offers not readable': String(unreadable) } : {}),
    ...(fitting[0] ? { 'dph_total of the first': fitting[0].dph_total } : {}),
  };
  const doubt = fitting.length === 0 ? doubtOf(offers.length, unreadable) : null;
  if (doubt !== null) return unknownBecause(doubt, 'unreadable-answer', raw);
  const { accelerator, count, country } = question;
  const state: StockState = fitting.length === 0 ? 'unavailable' : fitting.length <= FEW ? 'constrained' : 'available';
  const price = cheapest(fitting.map((offer) => priceOf(offer, question)));
  const many = fitting.length >= MOST_OFFERS ? `${fitting.length} or more` : String(fitting.length);
  const said = `${accelerator}:${count}: ${WORDS[state]} (${many} that satisfy)`;
  return {
    state,
    level: `${many} ${fitting.length === 1 ? 'offer' : 'offers'}`,
    scope: country === null ? 'global' : 'region',
    detail: [said, ...notesOf(question, unreadable, fitting.length > 0 && price === null)].join('; '),
    permanent: false,
    price,
    raw,
  };
}

/** Why a list without a fitting offer does not prove that there is none; null where it does. */
function doubtOf(offers: number, unreadable: number): string | null {
  if (unreadable > 0) return `${unreadable} of Vast's offers could not be read, and no other satisfies`;
  if (offers < MOST_OFFERS) return null;
  return "none of Vast's first offers is what was asked for, and there are more";
}

const notesOf = ({ country, unsearchable, spot }: VastQuestion, unreadable: number, priceless: boolean): string[] => [
  ...(country === null ? [] : [`in ${country}`]),
  ...(unsearchable === null
    ? []
    : [`Vast cannot be searched by "${unsearchable}": this is its signal for the whole market`]),
  ...(unreadable > 0 ? [`${unreadable} more could not be read`] : []),
  ...(priceless ? [`no ${spot ? 'bid' : 'price'} is named`] : []),
];

const WORDS: Readonly<Record<StockState, string>> = {
  available: 'several offers',
  constrained: 'few offers, any may be gone',
  unavailable: 'no offer at present',
  unknown: 'not known',
};
