import type { Clock } from '@davit/ports';

/** Work that goes on beside the passes of its rollout, in this process alone. */
export interface Job<Data, Result> {
  /** Filled while it runs. */
  readonly data: Data;
  /** How it ended; null while it runs. */
  readonly end: { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly detail: string } | null;
  /** Asks it to end, with the words that it ends with. */
  order(words: string): void;
}

/** Tells a job why it has to end; null as long as it may go on. */
export type Ordered = () => Promise<string | null>;

/** Whether whoever makes a pass still has the right to. */
type Holds = () => Promise<boolean>;

/** Words that a job ends with which nobody looks after. */
export const LEFT = 'nobody looks after it';

interface Held {
  lookedAfterMs: number;
  /** Set while a pass is under way. */
  pass: Holds | undefined;
  readonly jobs: Map<string, Job<unknown, unknown>>;
  readonly notes: Map<string, unknown>;
}

/**
 * What runs for rollouts in this process, and what was seen on the way. All of it may be lost: the log says what was begun, and what
 * nobody ended is begun anew. A job that no pass has looked after for a while ends by itself, since somebody else may have taken over.
 */
export class Jobs {
  private readonly held = new Map<string, Held>();

  constructor(
    private readonly clock: Clock,
    private readonly graceMs: number,
  ) {}

  /** A pass that takes long looks after them all the same, as long as its lease holds. */
  async during<Value>(rolloutId: string, holds: Holds, pass: () => Promise<Value>): Promise<Value> {
    const held = this.of(rolloutId);
    Object.assign(held, { lookedAfterMs: this.clock.monotonicMs(), pass: holds });
    try {
      return await pass();
    } finally {
      Object.assign(held, { lookedAfterMs: this.clock.monotonicMs(), pass: undefined });
    }
  }

  get<Data, Result>(rolloutId: string, name: string): Job<Data, Result> | undefined {
    // A name is used for jobs of one kind.
    return this.held.get(rolloutId)?.jobs.get(name) as Job<Data, Result> | undefined;
  }

  begin<Data, Result>(
    rolloutId: string,
    name: string,
    data: Data,
    run: (ordered: Ordered) => Promise<Result>,
  ): Job<Data, Result> {
    const held = this.of(rolloutId);
    let words: string | null = null;
    const job: { -readonly [Key in keyof Job<Data, Result>]: Job<Data, Result>[Key] } = {
      data,
      end: null,
      order: (why) => (words ??= why),
    };
    const ordered: Ordered = async () => words ?? ((await this.isLeft(held)) ? LEFT : null);
    held.jobs.set(name, job);
    run(ordered).then(
      (result) => (job.end = { ok: true, result }),
      (error: unknown) => (job.end = { ok: false, detail: error instanceof Error ? error.name : 'it failed' }),
    );
    return job;
  }

  areUnderWay(rolloutId: string): boolean {
    return [...(this.held.get(rolloutId)?.jobs.values() ?? [])].some(({ end }) => end === null);
  }

  /** Ends one job and forgets it. */
  end(rolloutId: string, name: string): void {
    const held = this.held.get(rolloutId);
    held?.jobs.get(name)?.order('it is not needed any more');
    held?.jobs.delete(name);
  }

  endAll(rolloutId: string): void {
    for (const job of this.held.get(rolloutId)?.jobs.values() ?? []) job.order('its rollout is over');
    this.held.delete(rolloutId);
  }

  /** What was seen before, by name; made at first. */
  note<Value>(rolloutId: string, name: string, first: () => Value): Value {
    const { notes } = this.of(rolloutId);
    if (!notes.has(name)) notes.set(name, first());
    // A name is used for notes of one kind.
    return notes.get(name) as Value;
  }

  private async isLeft(held: Held): Promise<boolean> {
    if (this.clock.monotonicMs() - held.lookedAfterMs <= this.graceMs) return false;
    if (!(await held.pass?.())) return true;
    held.lookedAfterMs = this.clock.monotonicMs();
    return false;
  }

  private of(rolloutId: string): Held {
    const known = this.held.get(rolloutId);
    if (known) return known;
    const held: Held = {
      ...{ lookedAfterMs: this.clock.monotonicMs(), pass: undefined },
      ...{ jobs: new Map(), notes: new Map() },
    };
    this.held.set(rolloutId, held);
    return held;
  }
}
