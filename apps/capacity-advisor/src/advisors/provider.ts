import type { Clock, HttpOutcome, HttpRequest, Logger } from '@davit/ports';
import type { PriceMarket } from '@davit/contracts';
import { type ProviderGate, exchangeKey } from '../gate/provider-gate.js';
import { hideSecret } from './hide-secret.js';
import { type StockAdvisor, type StockQuestion, type Verdict, adviceOf, unknownBecause } from './advisor.js';
import type { Reading } from './read.js';

/** One interface of one provider: how a question is put, and what an answer says. Pure. */
export type Dialect<Question, Answer> = {
  readonly source: string;
  /** The provider, as people call it. */
  readonly provider: string;
  readonly needsKey: boolean;
  /** Name of the variable that holds the key. */
  readonly keyVariable: string;
  /** What it calls the market of a machine that may be interrupted. */
  readonly interruptible: PriceMarket;
  questionOf(asked: StockQuestion): { readonly question: Question } | { readonly impossible: string };
  /** Method, address and body; the key is no part of it. */
  requestFor(question: Question): Pick<HttpRequest, 'method' | 'url' | 'body' | 'maxBytes'>;
  /** Done once for each exchange; `question` is any of those that it answers. */
  read(outcome: HttpOutcome, question: Question): Reading<Answer>;
  decide(answer: Answer, question: Question): Verdict;
};

export type ProviderParts = { readonly gate: ProviderGate; readonly clock: Clock; readonly logger: Logger };

export type ProviderSettings = {
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  /** How long an answer says something. */
  readonly lifetimeMs: number;
};

/** Bare script agents are turned away by the proxy in front of RunPod. */
const USER_AGENT = 'davit-capacity-advisor/0.1';

/** An advisor that asks a provider in one of its dialects: one try, the key only in the Authorization header. */
export function providerAdvisor<Question, Answer>(
  dialect: Dialect<Question, Answer>,
  { gate, clock, logger }: ProviderParts,
  { apiKey, timeoutMs, lifetimeMs }: ProviderSettings,
): StockAdvisor {
  const { source, provider, interruptible } = dialect;

  /** An answer serves many questions, and reading a long one takes as long as deciding by it a hundred times. */
  const readings = new WeakMap<HttpOutcome, Reading<Answer>>();

  function verdictOf(outcome: HttpOutcome, question: Question): Verdict {
    const reading = readings.get(outcome) ?? dialect.read(hideSecret(outcome, apiKey), question);
    readings.set(outcome, reading);
    return 'verdict' in reading ? reading.verdict : dialect.decide(reading.answer, question);
  }

  async function observe(asked: StockQuestion): Promise<{ verdict: Verdict; observedAtMs: number }> {
    const put = dialect.questionOf(asked);
    if ('impossible' in put) return { verdict: unknownBecause(put.impossible), observedAtMs: clock.nowMs() };
    if (apiKey === undefined && dialect.needsKey) {
      const detail = `${provider} was not asked: ${dialect.keyVariable} is not set`;
      return { verdict: unknownBecause(detail, 'no-credentials'), observedAtMs: clock.nowMs() };
    }
    const request = { ...dialect.requestFor(put.question), timeoutMs };
    const answer = await gate.ask({ ...request, headers: headersOf(request.body, apiKey) }, (outcome) => {
      const { failure, detail } = verdictOf(outcome, put.question);
      if (failure === 'bad-question' || failure === 'credentials-rejected') {
        logger.error({ source, accelerator: asked.placement.accelerator, detail }, 'advice failed');
      }
      return failure;
    });
    if (answer.kind === 'closed') {
      const verdict = unknownBecause(`${provider} was not asked: ${answer.reason}`, answer.failure);
      return { verdict, observedAtMs: clock.nowMs() };
    }
    return { verdict: verdictOf(answer.outcome, put.question), observedAtMs: answer.receivedAtMs };
  }

  return {
    source,
    exchangeOf(asked) {
      const put = dialect.questionOf(asked);
      if ('impossible' in put || (apiKey === undefined && dialect.needsKey)) return null;
      return exchangeKey(dialect.requestFor(put.question));
    },
    async advise(asked) {
      const { verdict, observedAtMs } = await observe(asked);
      return adviceOf(verdict, asked, { source, observedAtMs, lifetimeMs, interruptible });
    },
  };
}

const headersOf = (body: string | undefined, apiKey: string | undefined): Record<string, string> => ({
  accept: 'application/json',
  'user-agent': USER_AGENT,
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
});
