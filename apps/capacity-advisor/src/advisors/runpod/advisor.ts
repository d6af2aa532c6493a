import type { Placement } from '@davit/contracts';
import type { Clock, HttpClient, HttpOutcome, Logger } from '@davit/ports';
import { QuestionGate } from '../../gate/question-gate.js';
import { type StockAdvisor, type Verdict, adviceOf, unknownBecause } from '../advisor.js';
import { decideStock } from './decide.js';
import { type RunpodQuestion, questionFor, urlOf } from './question.js';

export type RunpodOptions = {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  /** How long an answer says something. */
  readonly lifetimeMs: number;
};

type Parts = { readonly http: HttpClient; readonly clock: Clock; readonly logger: Logger };

/** RunPod's bare script agents are turned away by the proxy in front of it. */
const USER_AGENT = 'davit-capacity-advisor/0.1';

/** Asks RunPod's REST v2 catalogue (https://docs.runpod.io/api-reference, read September 2026). One try, never a retry. */
export function runpodAdvisor(parts: Parts, options: RunpodOptions): StockAdvisor {
  const gate = new QuestionGate(parts.clock);
  const source = 'runpod-v2';
  return {
    source,
    async advise(placement) {
      const verdict = await verdictFor(placement, gate, parts, options);
      return adviceOf(verdict, source, parts.clock.nowMs(), options.lifetimeMs);
    },
  };
}

async function verdictFor(
  placement: Placement,
  gate: QuestionGate,
  parts: Parts,
  options: RunpodOptions,
): Promise<Verdict> {
  const asked = questionFor(placement);
  if ('impossible' in asked) return unknownBecause(asked.impossible);
  if (options.apiKey === undefined) {
    return unknownBecause('RunPod was not asked: RUNPOD_API_KEY is not set', 'no-credentials');
  }
  const closed = gate.closed();
  if (closed !== undefined) return unknownBecause(`RunPod was not asked: ${closed}`, 'outage');
  const outcome = await ask(asked.question, options.apiKey, parts.http, options);
  const verdict = decideStock(outcome, asked.question);
  tell(gate, verdict, outcome);
  if (verdict.failure === 'bad-question' || verdict.failure === 'credentials-rejected') {
    parts.logger.error({ source: 'runpod-v2', gpu: asked.question.gpu.id, detail: verdict.detail }, 'advice failed');
  }
  return verdict;
}

const ask = (
  question: RunpodQuestion,
  apiKey: string,
  http: HttpClient,
  { baseUrl, timeoutMs }: RunpodOptions,
): Promise<HttpOutcome> =>
  http.request({
    method: 'GET',
    url: urlOf(baseUrl, question),
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json', 'user-agent': USER_AGENT },
    timeoutMs,
  });

function tell(gate: QuestionGate, verdict: Verdict, outcome: HttpOutcome): void {
  if (verdict.failure === 'rate-limited') {
    gate.limited(outcome.kind === 'response' ? outcome.headers['retry-after'] : undefined);
  } else if (verdict.failure === 'outage') gate.failed();
  else gate.answered();
}
