import { counted } from '@davit/contracts';
import { describePlacement } from './describe.js';
import { type JudgedCandidate, judgeCandidate } from './judge.js';
import { Line, type Placed } from './line.js';
import type { PlacementQuestion } from './question.js';
import type { Objection, RankedCandidate, Ranking } from './ranking.js';
import { refusalsByOffer } from './refusals.js';
import { type ScoreWords, Scores } from './scores.js';
import { describeStock } from './stock.js';

/**
 * Where a replica goes, and why not elsewhere. Pure: equal questions have equal answers, in whatever order the candidates are
 * given. Only what is known speaks against a candidate: stock that is said to be gone, refusals, a price above what was accepted
 * and what a budget cannot pay. Not knowing never does, except what a machine costs where a budget has to be kept (law 4).
 */
export function rankPlacements(question: PlacementQuestion): Ranking {
  const refusals = refusalsByOffer(question.refusals);
  const judged = question.candidates.map((candidate) => judgeCandidate(candidate, question, refusals));
  const scores = new Scores(judged, question);
  const line = new Line(question, judged, (a, b) => scores.compare(a.row, b.row) || byName(a.candidate, b.candidate));
  for (let place = 0; place < question.ahead && line.take(); place++);
  return rankingOf(line, scores, question);
}

/** No two candidates are equal, so that the order never depends on how they were given. */
const byName = (a: JudgedCandidate, b: JudgedCandidate): number =>
  a.offerKey < b.offerKey ? -1 : a.offerKey > b.offerKey ? 1 : a.rung - b.rung;

function rankingOf(line: Line, scores: Scores, question: PlacementQuestion): Ranking {
  let before: Told | undefined;
  const candidates = line.inOrder().map((one): RankedCandidate => {
    const { rung, placement, offerKey, stock, confidence, price } = one.candidate;
    const objections = line.objectionsTo(one);
    const told: Told = { one, words: scores.told(one.candidate), neighbours: line.neighboursOf(one) };
    const free = objections.length === 0;
    const verdict = !free ? 'rejected' : before ? 'next' : 'chosen';
    const reason = free ? favour(told, before, scores, question) : reasonsOf(objections);
    if (free) before = told;
    return { rung, placement, offerKey, verdict, reason, objections, stock, confidence, price, scores: told.words };
  });
  const chosen = candidates.find(({ verdict }) => verdict === 'chosen') ?? null;
  return {
    candidates,
    chosen,
    permanent: chosen === null && candidates.every(({ objections }) => objections.some(({ permanent }) => permanent)),
    changesAtMs: chosen === null ? earliestChange(candidates) : null,
  };
}

/** All that speaks against a candidate has to change, and one candidate is enough. */
function earliestChange(candidates: readonly RankedCandidate[]): number | null {
  const changes = candidates.flatMap(({ objections }) => {
    const ends = objections.map(({ changesAtMs }) => changesAtMs ?? -Infinity);
    return objections.some(({ permanent }) => permanent) ? [] : [Math.max(...ends)];
  });
  const earliest = Math.min(...changes);
  return Number.isFinite(earliest) ? earliest : null;
}

const reasonsOf = ([first, ...more]: readonly Objection[]): string =>
  more.reduce((reasons, { reason }) => `${reasons}; ${reason}`, first?.reason ?? '');

/** What reasons are made of: a candidate in line, its scores in words, and the replicas at its place where they are spread. */
type Told = { readonly one: Placed; readonly words: ScoreWords; readonly neighbours: number | null };

/** Why it is taken, or comes after the one before it. */
function favour(told: Told, before: Told | undefined, scores: Scores, question: PlacementQuestion): string {
  const stock = describeStock(told.one.candidate.stock);
  const spread = told.neighbours === null ? '' : `${told.neighbours} of its replicas ${areThere(told.neighbours)}; `;
  const why = before ? afterwards(told, before, scores) : firstOf(told, question);
  return `${why}; ${spread}${stock}`;
}

const areThere = (count: number): string => (count === 1 ? 'is there' : 'are there');

function firstOf({ words }: Told, { selection, objective }: PlacementQuestion): string {
  if (selection === 'ladder') return 'first of the ladder that nothing speaks against';
  return `best by ${objective} of those that nothing speaks against (${words[objective]})`;
}

function afterwards({ one, words, neighbours }: Told, before: Told, scores: Scores): string {
  const after = `after ${describePlacement(before.one.candidate.placement)}`;
  if (neighbours !== before.neighbours) {
    return `${after} by spread: ${counted(neighbours ?? 0, 'replica')} ${areThere(neighbours ?? 0)} against ${before.neighbours}`;
  }
  const name = scores.firstDifference(one.row, before.one.row);
  return name === undefined ? `${after} by name` : `${after} by ${name}: ${words[name]} against ${before.words[name]}`;
}
