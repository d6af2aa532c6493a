import type { RecordedEvent } from '@davit/contracts';
import { type Tone, toneOfReplica } from '../../words/states.js';

/** A time in which a replica was in one state. */
export interface Segment {
  readonly state: string;
  readonly tone: Tone;
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
  /** Of the event that began it. */
  readonly position: number;
}

export interface Lane {
  readonly replica: string;
  readonly revision: number;
  readonly segments: readonly Segment[];
}

/** The state that an event begins, in the words of the list of replicas; undefined for those that change none. */
const BEGINS: Readonly<Record<string, string>> = {
  'davit.replica.requested': 'requested',
  'davit.replica.deferred': 'waiting',
  'davit.replica.placed': 'launching',
  'davit.replica.launch-requested': 'launching',
  'davit.runtime.probing-started': 'loading',
  'davit.replica.ready': 'serving',
  'davit.runtime.became-unready': 'failed',
  'davit.runtime.became-ready': 'serving',
  'davit.replica.drain-requested': 'draining',
  'davit.replica.drained': 'drained',
  'davit.replica.delete-requested': 'deleting',
  'davit.replica.failed': 'failed',
  'davit.replica.quarantined': 'quarantined',
};

/** Once here, what its server answers is no news any more. */
const ENDING: ReadonlySet<string> = new Set(['draining', 'drained', 'deleting', 'quarantined']);

/** Lives of replicas as the log tells them, in the order in which they began. */
export function lanesOf(events: readonly RecordedEvent[]): readonly Lane[] {
  const lives = new Map<string, { open: boolean; segments: Segment[] }>();
  for (const event of events) {
    const replica = 'replicaId' in event.data ? event.data.replicaId : undefined;
    if (typeof replica !== 'string') continue;
    const life = lives.get(replica) ?? { open: true, segments: [] };
    lives.set(replica, life);
    tell(life, event);
  }
  return [...lives]
    .filter(([, { segments }]) => segments.length > 0)
    .map(([replica, { segments }]) => ({ replica, revision: revisionOf(replica), segments }));
}

function tell(life: { open: boolean; segments: Segment[] }, event: RecordedEvent): void {
  const atMs = Date.parse(event.time);
  const last = life.segments.at(-1);
  if (event.type === 'davit.replica.deleted') {
    if (last) life.segments[life.segments.length - 1] = { ...last, toMs: atMs };
    life.open = false;
    return;
  }
  const state = stateAfter(event, last?.state);
  if (state === undefined || state === last?.state || !life.open) return;
  if (last) life.segments[life.segments.length - 1] = { ...last, toMs: atMs };
  life.segments.push({ state, tone: toneOfReplica(state), fromMs: atMs, toMs: null, position: event.position });
}

function stateAfter({ type }: RecordedEvent, before: string | undefined): string | undefined {
  const state = BEGINS[type];
  if (!type.startsWith('davit.runtime.')) return state;
  // A server may answer before it counts as ready; only one that served can become unready.
  if (before === undefined || ENDING.has(before)) return undefined;
  if (type === 'davit.runtime.became-ready') return before === 'failed' ? state : undefined;
  if (type === 'davit.runtime.became-unready') return before === 'serving' ? state : undefined;
  return before === 'launching' ? state : undefined;
}

/** `default/qwen3-8b-2-0-1` → 2 */
const revisionOf = (replica: string): number => Number(/-(\d+)-\d+-\d+$/.exec(replica)?.[1] ?? 0);
