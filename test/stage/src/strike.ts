import type { RecordedEvent } from '@davit/contracts';
import { type Clock, sleep } from '@davit/ports';
import type { Call, Caller, Tap, Ways } from './tap.js';

/** A place in a workflow where a process may be struck: all calls of one service that do the same. */
export interface Point {
  /** For example `append orchestrator replica.placed+replica.launch-requested` or `command skypilot-agent sky launch`. */
  readonly id: string;
  /** Steps, as the code's own tables name them, that this point carries out. */
  readonly steps: readonly string[];
}

export const shortType = (type: string): string => type.replace(/^davit\./, '');

/** What may befall a process at a call that it makes. */
export const CALL_KINDS = ['before', 'after', 'amid', 'reply-lost', 'overtaken', 'overslept'] as const;
/** What may befall a message. */
export const MESSAGE_KINDS = ['lost', 'twice'] as const;
export type Kind = (typeof CALL_KINDS)[number] | (typeof MESSAGE_KINDS)[number];

export interface Target {
  readonly id: string;
  /** Which of the calls, counted from 1. */
  readonly nth: number;
  readonly kind: Kind;
}

/** How long a process that died stays down. */
const DOWN_MS = 3_000;
/** Longer than a lease lasts, so that another instance takes over. */
const OVERTAKEN_MS = 20_000;
/** Longer than a launch without an answer is waited for, so that others have drawn their conclusions. */
const OVERSLEPT_MS = 400_000;

const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);

/** Watches every call, and strikes at one of them. */
export class Strike implements Tap {
  /** How often each point was passed. */
  readonly visits = new Map<string, number>();
  readonly steps = new Set<string>();
  /** True once the target was met. */
  struck = false;

  constructor(
    private readonly clock: () => Clock,
    private readonly target: Target | undefined,
    private readonly pointOf: (service: string, call: Call) => Point,
  ) {}

  call<Value>(caller: Caller, call: Call, ways: Ways<Value>): Promise<Value> {
    const point = this.pointOf(caller.name, call);
    for (const step of point.steps) this.steps.add(step);
    const kind = this.meets(point);
    return kind === undefined ? ways.go() : this.strike(kind, caller, ways);
  }

  async deliver(caller: Caller, events: readonly RecordedEvent[], go: () => Promise<void>): Promise<void> {
    const types = new Set(events.map(({ type }) => type));
    const kinds = [...types].map((type) => this.meets(messageOf(caller, type)));
    if (kinds.includes('lost')) return;
    await go();
    if (kinds.includes('twice')) await go();
  }

  private meets({ id }: Pick<Point, 'id'>): Kind | undefined {
    const nth = (this.visits.get(id) ?? 0) + 1;
    this.visits.set(id, nth);
    if (this.struck || this.target?.id !== id || this.target.nth !== nth) return undefined;
    this.struck = true;
    return this.target.kind;
  }

  private async strike<Value>(kind: Kind, caller: Caller, { go, hearNothing }: Ways<Value>): Promise<Value> {
    switch (kind) {
      case 'before':
        this.kill(caller);
        return never();
      case 'amid':
        void go().catch(() => undefined);
        this.kill(caller);
        return never();
      case 'after':
        await go();
        this.kill(caller);
        return never();
      case 'reply-lost':
        void go().catch(() => undefined);
        return hearNothing();
      case 'overtaken':
        return this.stop(caller, OVERTAKEN_MS, go);
      case 'overslept':
        return this.stop(caller, OVERSLEPT_MS, go);
      case 'lost':
      case 'twice':
        return go();
    }
  }

  private kill(caller: Caller): void {
    caller.crash();
    this.clock().schedule(DOWN_MS, () => caller.start());
  }

  private async stop<Value>(caller: Caller, ms: number, go: () => Promise<Value>): Promise<Value> {
    caller.pause();
    await sleep(this.clock(), ms);
    caller.resume();
    return go();
  }
}

export const messageOf = ({ name }: Pick<Caller, 'name'>, type: string): { readonly id: string } => ({
  id: `message ${name} ${shortType(type)}`,
});
