import type { WorkerStep } from '../receipt.js';
import { type Mark, across, clockOf, escaped, extentOf, legendOf, markLines, page, timeAxis } from './svg.js';

const ROW = 22;
const FIRST_ROW = 58;
const MOST_ROWS = 60;
const KINDS = ['old', 'candidate', 'other', 'unknown'] as const;
const FILLS = ['#0072b2', '#009e73', '#cc79a7', '#bbbbbb'] as const;

/** A row for each worker of production: which template it was on, and since when. Undefined where none was seen. */
export function workerTimeline(
  steps: readonly WorkerStep[],
  untilMs: number,
  marks: readonly Mark[],
): string | undefined {
  if (steps.length === 0) return undefined;
  const ids = [...new Set(steps.map(({ workerId }) => workerId))].toSorted((a, b) => a - b).slice(0, MOST_ROWS);
  const times = steps.map(({ at }) => Date.parse(at));
  const [fromMs, toMs] = extentOf([...times, untilMs]);
  const place = across(fromMs, toMs);
  const height = FIRST_ROW + ids.length * ROW + 34;
  const rows = ids.flatMap((id, row) => {
    const y = FIRST_ROW + row * ROW;
    const own = steps.filter(({ workerId }) => workerId === id);
    const bars = own.map((step, index) => barOf(step, own[index + 1]?.at, { y, place, toMs }));
    return [`<text x="58" y="${y + 12}" text-anchor="end">${id}</text>`, ...bars];
  });
  const within = marks.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  return page(height, 'Workers of production by template', [
    ...legendOf(KINDS, FILLS),
    ...rows,
    ...markLines(within, place, FIRST_ROW - 4, height - 30),
    ...timeAxis(fromMs, toMs, height - 10),
  ]);
}

type Place = { readonly y: number; readonly place: (ms: number) => number; readonly toMs: number };

function barOf(step: WorkerStep, next: string | undefined, { y, place, toMs }: Place): string {
  if (step.on === null) return '';
  const from = place(Date.parse(step.at));
  const to = place(next === undefined ? toMs : Date.parse(next));
  const fill = FILLS[KINDS.indexOf(step.on)] ?? '#bbbbbb';
  const told = escaped(`${step.status}, ${step.on}, since ${clockOf(Date.parse(step.at))}`);
  const width = Math.max(1, to - from).toFixed(1);
  return `<rect x="${from.toFixed(1)}" y="${y}" width="${width}" height="16" fill="${fill}"><title>${told}</title></rect>`;
}
