import type { HttpOutcome } from '@davit/ports';
import type { z } from 'zod';
import { type Verdict, unknownBecause } from './advisor.js';
import { type Reading, readAnswer } from './read.js';

export type Refuser = {
  /** The provider, as people call it. */
  readonly name: string;
  /** What its 404 means. */
  readonly notFound: (body: string) => Verdict;
};

/** Providers throttle with 403 at times and say so only in words. */
const RATE_WORDS = /too (frequent|many)|rate.?limit/i;

/** The body of a 200 as a schema knows it; "unknown" for whatever else an exchange may end in. */
export function readOutcome<Shape>(outcome: HttpOutcome, schema: z.ZodType<Shape>, refuser: Refuser): Reading<Shape> {
  const refusal = decideRefusal(outcome, refuser);
  if (refusal) return { verdict: refusal };
  if (outcome.kind === 'failure') return { verdict: unknownBecause(`${refuser.name} gave no answer`, 'outage') };
  return readAnswer(outcome.body, schema, refuser.name);
}

/**
 * What an exchange that is no answer says of stock: nothing, for a stated reason. Undefined for a 200, which has to be read.
 * The body's words stay out of it: they may hold anything.
 */
function decideRefusal(outcome: HttpOutcome, { name, notFound }: Refuser): Verdict | undefined {
  if (outcome.kind === 'failure') {
    return unknownBecause(`${name} gave no answer: ${outcome.reason}`, 'outage', { failure: outcome.reason });
  }
  const { status, body } = outcome;
  if (status === 200) return undefined;
  const raw = { status: String(status) };
  if (status === 404) return { ...notFound(body), raw };
  if (status === 429 || (status === 403 && RATE_WORDS.test(body))) {
    return unknownBecause(`${name} limits the rate of questions (${status})`, 'rate-limited', raw);
  }
  if (status === 401 || (status === 403 && isJson(body))) {
    const detail = `${name} rejected the API key (${status}); a launch will probably fail too`;
    return unknownBecause(detail, 'credentials-rejected', raw);
  }
  // A 403 page comes from the proxy in front of the provider and says nothing about the key.
  if (status === 403) return unknownBecause(`the proxy in front of ${name} blocked the question (403)`, 'outage', raw);
  if (status >= 500 || status === 408) return unknownBecause(`${name} is out of order (${status})`, 'outage', raw);
  return unknownBecause(`${name} did not accept the question (${status})`, 'bad-question', raw);
}

/** Providers answer in JSON; a page is of the proxy before them, or of another server. */
export function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
