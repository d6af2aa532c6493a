import type { Placement } from '@davit/contracts';
import { type Room, objectionsOfBudgets, roomsOf, takeFrom } from './budget.js';
import { describePlacement } from './describe.js';
import { type JudgedCandidate, judgeCandidate } from './judge.js';
import type { PlacementQuestion } from './question.js';
import type { Objection, RankedCandidate, Ranking } from './ranking.js';
import { refusalsByOffer } from './refusals.js';
import { type Scores, scoresOf } from './scores.js';
import { describeStock } from './stock.js';

type Scored = {
  readonly candidate: JudgedCandidate;
  readonly scores: Scores;
  /** What it counts as where replicas are spread; null where they are not. */
  readonly place: string | null;
};

/**
 * Where a replica goes, and why not elsewhere. Pure: equal questions have equal answers, in whatever order the candidates are
 * given. Only what is known speaks against a candidate: stock that is said to be gone, refusals, a price above what was accepted
 * and what a budget cannot pay. Not knowing never does, except what a machine costs where a budget has to be kept (law 4).
 */
export function rankPlacements(question: PlacementQuestion): Ranking {
  const refusals = refusalsByOffer(question.refusals);
  const judged = question.candidates.map((candidate) => judgeCandidate(candidate, question, refusals));
  const scores = scoresOf(judged, question);
  const ordered = judged.map((candidate): Scored => ({
    candidate,
    scores: scores(candidate),
    place: placeOf(candidate.placement, question.spread),
  }));
  ordered.sort(compare);
  const line = new Line(question, ordered);
  for (let place = 0; place < question.ahead && line.take(); place++);
  return rankingOf(line);
}

/** By scores, then by the offer's name: no two candidates are equal, so that the order never depends on how they were given. */
function compare(a: Scored, b: Scored): number {
  const { values } = a.scores;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    const other = b.scores.values[index] ?? 0;
    if (value !== other) return value < other ? -1 : 1;
  }
  const [left, right] = [a.candidate, b.candidate];
  return left.offerKey < right.offerKey ? -1 : left.offerKey > right.offerKey ? 1 : left.rung - right.rung;
}

/** Replicas that are placed one after the other, each from what those before it left. */
class Line {
  private readonly counts: Map<string, number>;
  private rooms: readonly Room[];

  constructor(
    readonly question: PlacementQuestion,
    private readonly ordered: readonly Scored[],
  ) {
    this.rooms = roomsOf(question.budgets);
    this.counts = new Map();
    for (const placement of question.neighbours) this.count(placeOf(placement, question.spread));
  }

  /** Replicas at the place of a candidate; null when nothing is spread. */
  neighboursOf({ place }: Scored): number | null {
    return place === null ? null : (this.counts.get(place) ?? 0);
  }

  /** In the order in which the next replica would take them. */
  inOrder(): readonly Scored[] {
    const { ordered } = this;
    if (this.question.spread === null) return ordered;
    const counted = ordered.map((one) => ({ one, count: this.neighboursOf(one) ?? 0 }));
    return counted.sort((a, b) => a.count - b.count).map(({ one }) => one);
  }

  objectionsTo({ candidate: { objections, cost } }: Scored): readonly Objection[] {
    if (this.rooms.length === 0) return objections;
    const ofBudgets = objectionsOfBudgets(cost, this.rooms);
    return ofBudgets.length === 0 ? objections : [...objections, ...ofBudgets];
  }

  /** Places one replica; false when that changes nothing for the next. */
  take(): boolean {
    if (this.question.spread === null && this.rooms.length === 0) return false;
    let taken: { readonly one: Scored; readonly count: number } | undefined;
    for (const one of this.ordered) {
      if (one.candidate.objections.length > 0) continue;
      const count = this.neighboursOf(one) ?? 0;
      if (taken && count >= taken.count) continue;
      if (this.objectionsTo(one).length > 0) continue;
      taken = { one, count };
      if (count === 0) break;
    }
    if (!taken) return false;
    this.count(taken.one.place);
    this.rooms = takeFrom(this.rooms, taken.one.candidate.cost);
    return true;
  }

  private count(place: string | null): void {
    if (place !== null) this.counts.set(place, (this.counts.get(place) ?? 0) + 1);
  }
}

function placeOf({ cloud, region }: Placement, spread: PlacementQuestion['spread']): string | null {
  return spread === null ? null : spread === 'cloud' ? cloud : `${cloud}:${region ?? '*'}`;
}

function rankingOf(line: Line): Ranking {
  let before: Scored | undefined;
  const candidates = line.inOrder().map((one): RankedCandidate => {
    const { rung, placement, offerKey, stock, confidence, price } = one.candidate;
    const objections = line.objectionsTo(one);
    const free = objections.length === 0;
    const verdict = !free ? 'rejected' : before ? 'next' : 'chosen';
    const reason = free ? favour(one, before, line) : objections.map((objection) => objection.reason).join('; ');
    if (free) before = one;
    return {
      rung,
      placement,
      offerKey,
      verdict,
      reason,
      objections,
      stock,
      confidence,
      price,
      scores: told(one.scores),
    };
  });
  const chosen = candidates.find(({ verdict }) => verdict === 'chosen') ?? null;
  return {
    candidates,
    chosen,
    permanent: chosen === null && candidates.every(({ objections }) => objections.some(({ permanent }) => permanent)),
    changesAtMs: chosen === null ? earliestChange(candidates) : null,
  };
}

function told({ names, words }: Scores): Record<string, string> {
  const scores: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) scores[names[index] ?? ''] = words[index] ?? '';
  return scores;
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

/** Why it is taken, or comes after the one before it. */
function favour(one: Scored, before: Scored | undefined, line: Line): string {
  const stock = describeStock(one.candidate.stock);
  const place = line.neighboursOf(one);
  const spread = place === null ? '' : `${place} of its replicas are there; `;
  if (!before) return `${firstOf(one, line)}; ${spread}${stock}`;
  const after = afterwards(one, before, line);
  return `after ${describePlacement(before.candidate.placement)}${after === '' ? '' : ` by ${after}`}; ${spread}${stock}`;
}

function firstOf({ scores }: Scored, { question: { selection, objective } }: Line): string {
  if (selection === 'ladder') return 'first of the ladder that nothing speaks against';
  const words = scores.words[scores.names.indexOf(objective)] ?? 'unknown';
  return `best by ${objective} of those that nothing speaks against (${words})`;
}

function afterwards(one: Scored, before: Scored, line: Line): string {
  const own = line.neighboursOf(one);
  const others = line.neighboursOf(before);
  if (own !== others) return `spread: ${own} replicas are there against ${others}`;
  const { names, values, words } = one.scores;
  const index = values.findIndex((value, at) => value !== before.scores.values[at]);
  const name = names[index];
  return name === undefined
    ? 'name'
    : `${name}: ${words[index] ?? ''} against ${before.scores.words[index] ?? 'nothing'}`;
}
