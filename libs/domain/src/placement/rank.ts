import type { Placement } from '@davit/contracts';
import { type Room, objectionsOfBudgets, roomsOf, takeFrom } from './budget.js';
import { describePlacement } from './describe.js';
import { type JudgedCandidate, judgeCandidate } from './judge.js';
import type { PlacementQuestion } from './question.js';
import type { Objection, RankedCandidate, Ranking } from './ranking.js';
import { refusalsByOffer } from './refusals.js';
import { Scores } from './scores.js';
import { describeStock } from './stock.js';

type Placed = {
  readonly candidate: JudgedCandidate;
  /** Its row among the scores. */
  readonly row: number;
  /** Number of what it counts as where replicas are spread; they share one where they are not. */
  readonly place: number;
};

/**
 * Where a replica goes, and why not elsewhere. Pure: equal questions have equal answers, in whatever order the candidates are
 * given. Only what is known speaks against a candidate: stock that is said to be gone, refusals, a price above what was accepted
 * and what a budget cannot pay. Not knowing never does, except what a machine costs where a budget has to be kept (law 4).
 */
export function rankPlacements(question: PlacementQuestion): Ranking {
  const refusals = refusalsByOffer(question.refusals);
  const judged = question.candidates.map((candidate) => judgeCandidate(candidate, question, refusals));
  const scores = new Scores(judged, question);
  const places = new Places(question);
  const ordered = judged.map((candidate, row): Placed => ({ candidate, row, place: places.of(candidate.placement) }));
  ordered.sort((a, b) => scores.compare(a.row, b.row) || byName(a.candidate, b.candidate));
  const line = new Line(question, scores, places, ordered);
  for (let place = 0; place < question.ahead && line.take(); place++);
  return rankingOf(line);
}

/** No two candidates are equal, so that the order never depends on how they were given. */
const byName = (a: JudgedCandidate, b: JudgedCandidate): number =>
  a.offerKey < b.offerKey ? -1 : a.offerKey > b.offerKey ? 1 : a.rung - b.rung;

/** Where replicas are spread: how many are in each cloud or region. Places have numbers, in the order in which they were met. */
class Places {
  private readonly numbers = new Map<string, number>();
  private readonly counts: number[] = [];
  readonly areSpread: boolean;
  private readonly nameOf: (placement: Placement) => string;

  constructor({ spread, neighbours }: Pick<PlacementQuestion, 'spread' | 'neighbours'>) {
    this.areSpread = spread !== null;
    this.nameOf =
      spread === 'region' ? ({ cloud, region }) => `${cloud}:${region ?? '*'}` : ({ cloud }) => (spread ? cloud : '');
    for (const placement of neighbours) this.add(this.of(placement));
  }

  of(placement: Placement): number {
    const name = this.nameOf(placement);
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.numbers.set(name, this.counts.length);
    return this.counts.push(0) - 1;
  }
  add(place: number): void {
    this.counts[place] = this.in(place) + 1;
  }
  /** Replicas in a place. */
  in(place: number): number {
    return this.counts[place] ?? 0;
  }
}

/** Replicas that are placed one after the other, each from what those before it left. */
class Line {
  private rooms: readonly Room[];

  constructor(
    readonly question: PlacementQuestion,
    readonly scores: Scores,
    private readonly places: Places,
    private readonly ordered: readonly Placed[],
  ) {
    this.rooms = roomsOf(question.budgets);
  }

  /** Replicas at the place of a candidate; null when nothing is spread. */
  neighboursOf({ place }: Placed): number | null {
    return this.places.areSpread ? this.places.in(place) : null;
  }

  /** In the order in which the next replica would take them. */
  inOrder(): readonly Placed[] {
    if (!this.places.areSpread) return this.ordered;
    const byCount: Placed[][] = [];
    for (const one of this.ordered) (byCount[this.places.in(one.place)] ??= []).push(one);
    return byCount.flat();
  }

  objectionsTo({ candidate: { objections, cost } }: Placed): readonly Objection[] {
    if (this.rooms.length === 0) return objections;
    const ofBudgets = objectionsOfBudgets(cost, this.rooms);
    return ofBudgets.length === 0 ? objections : [...objections, ...ofBudgets];
  }

  /** Places one replica; false when that changes nothing for the next. */
  take(): boolean {
    if (!this.places.areSpread && this.rooms.length === 0) return false;
    let taken: { readonly one: Placed; readonly count: number } | undefined;
    for (const one of this.ordered) {
      if (one.candidate.objections.length > 0) continue;
      const count = this.neighboursOf(one) ?? 0;
      if (taken && count >= taken.count) continue;
      if (this.objectionsTo(one).length > 0) continue;
      taken = { one, count };
      if (count === 0) break;
    }
    if (!taken) return false;
    this.places.add(taken.one.place);
    this.rooms = takeFrom(this.rooms, taken.one.candidate.cost);
    return true;
  }
}

function rankingOf(line: Line): Ranking {
  let before: Placed | undefined;
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
      scores: line.scores.told(one.row),
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
function favour(one: Placed, before: Placed | undefined, line: Line): string {
  const stock = describeStock(one.candidate.stock);
  const place = line.neighboursOf(one);
  const spread = place === null ? '' : `${place} of its replicas are there; `;
  if (!before) return `${firstOf(one, line)}; ${spread}${stock}`;
  const after = afterwards(one, before, line);
  return `after ${describePlacement(before.candidate.placement)}${after === '' ? '' : ` by ${after}`}; ${spread}${stock}`;
}

function firstOf({ row }: Placed, { question: { selection, objective }, scores }: Line): string {
  if (selection === 'ladder') return 'first of the ladder that nothing speaks against';
  return `best by ${objective} of those that nothing speaks against (${scores.words(row, objective)})`;
}

function afterwards(one: Placed, before: Placed, line: Line): string {
  const own = line.neighboursOf(one);
  const others = line.neighboursOf(before);
  if (own !== others) return `spread: ${own} replicas are there against ${others}`;
  const { scores } = line;
  const name = scores.names[scores.firstDifference(one.row, before.row) ?? -1];
  return name === undefined
    ? 'name'
    : `${name}: ${scores.words(one.row, name)} against ${scores.words(before.row, name)}`;
}
