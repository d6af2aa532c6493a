import { duration } from './duration.js';

/** What of an event a timeline is drawn from. */
export interface TimelineEvent {
  readonly position: number;
  readonly time: string;
  readonly type: string;
  readonly subject: string;
}

export type LifeState = 'waiting' | 'starting' | 'serving' | 'draining' | 'deleting' | 'quarantined' | 'gone';

/** A stretch of time in one state, and the event that began it. */
export interface Span {
  readonly state: LifeState;
  readonly from: string;
  /** Null while it lasts. */
  readonly to: string | null;
  readonly position: number;
}

/** One replica from its request on. */
export interface Life {
  readonly replica: string;
  readonly spans: readonly Span[];
}

const BEGINS: Readonly<Record<string, LifeState>> = {
  'davit.replica.requested': 'waiting',
  'davit.replica.deferred': 'waiting',
  'davit.replica.launch-requested': 'starting',
  'davit.replica.ready': 'serving',
  'davit.replica.drain-requested': 'draining',
  'davit.replica.delete-requested': 'deleting',
  'davit.replica.quarantined': 'quarantined',
  'davit.replica.deleted': 'gone',
};

const FILL: Readonly<Record<LifeState, string>> = {
  waiting: '·',
  starting: '░',
  serving: '█',
  draining: '▒',
  deleting: '-',
  quarantined: '!',
  gone: ' ',
};

/** The lives that events tell of, in the order in which they began. */
export function livesOf(events: readonly TimelineEvent[], nowMs: number): readonly Life[] {
  const marks = new Map<string, { state: LifeState; from: string; position: number }[]>();
  for (const { type, subject, time, position } of events) {
    const state = BEGINS[type];
    if (state === undefined || Date.parse(time) > nowMs) continue;
    const known = marks.get(subject) ?? [];
    if (known.at(-1)?.state !== state) known.push({ state, from: time, position });
    marks.set(subject, known);
  }
  return [...marks].map(([replica, spans]) => ({
    replica,
    spans: spans.map((span, index) => ({ ...span, to: spans[index + 1]?.from ?? null })),
  }));
}

export interface TimelineFrame {
  readonly nowMs: number;
  readonly fromMs: number | undefined;
  /** Of the whole picture, in characters. */
  readonly width: number;
}

/** A line of blocks for each life on one scale of time, with what each state lasted beside it. */
export function timelineText(title: string, lives: readonly Life[], frame: TimelineFrame): string {
  const { nowMs, width } = frame;
  const starts = lives.map(({ spans }) => Date.parse(spans[0]?.from ?? ''));
  if (starts.length === 0) return `${title}: no replica was ever asked for.`;
  const fromMs = frame.fromMs ?? Math.min(...starts);
  const toMs = Math.max(nowMs, fromMs + 1_000);
  const shown = lives.filter(({ spans }) => overlaps(spans, fromMs));
  const names = shown.map(({ replica }) => replica.slice(replica.indexOf('/') + 1));
  const nameWidth = Math.max(7, ...names.map((name) => name.length));
  const columns = Math.max(20, width - nameWidth - 2);
  const scale = `${new Date(fromMs).toISOString().slice(0, 19)}Z`;
  const end = `${new Date(toMs).toISOString().slice(11, 19)}Z`;
  return [
    `${title}, ${duration(toMs - fromMs)}`,
    `${' '.repeat(nameWidth)}  ${scale}${end.padStart(Math.max(end.length + 1, columns - scale.length))}`,
    ...shown.flatMap(({ spans }, index) => [
      `${(names[index] ?? '').padEnd(nameWidth)}  ${bar(spans, fromMs, toMs, columns)}`.trimEnd(),
      `${' '.repeat(nameWidth)}  ${spans.map((span) => lasted(span, nowMs)).join(', ')}`,
    ]),
    '',
    Object.entries(FILL)
      .filter(([state]) => state !== 'gone')
      .map(([state, fill]) => `${fill} ${state}`)
      .join('  '),
  ].join('\n');
}

const endMs = ({ to, state }: Span): number => (to !== null ? Date.parse(to) : state === 'gone' ? -Infinity : Infinity);

const overlaps = (spans: readonly Span[], fromMs: number): boolean => spans.some((span) => endMs(span) > fromMs);

/** Each column shows the state in its middle; a state too short for any is named beside it all the same. */
function bar(spans: readonly Span[], fromMs: number, toMs: number, columns: number): string {
  const step = (toMs - fromMs) / columns;
  return Array.from({ length: columns }, (_, column) => {
    const atMs = fromMs + (column + 0.5) * step;
    const span = spans.findLast(({ from }) => Date.parse(from) <= atMs);
    return span === undefined ? ' ' : FILL[span.state];
  }).join('');
}

function lasted({ state, from, to, position }: Span, nowMs: number): string {
  if (state === 'gone') return `gone (${position})`;
  const ms = (to === null ? nowMs : Date.parse(to)) - Date.parse(from);
  return `${state} ${duration(ms)}${to === null ? ' so far' : ''} (${position})`;
}
