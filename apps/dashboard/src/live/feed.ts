import type { RecordedEvent } from '@davit/contracts';
import { get, problemIn, send, withQuery } from '../api/http.js';
import { FrameReader } from '../api/sse.js';
import { EventRing } from './ring.js';
import { Track } from './track.js';

const PATH = '/v1/events/stream';
/** The server speaks at least every 10 s; after this much silence the connection counts as lost. */
const SILENCE_MS = 25_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];
/** Listeners hear of events in batches: at 500 a second nothing may be drawn for each. */
const TELL_EVERY_MS = 125;
/** Events before the end of the log that are shown at once. */
const BACKLOG = 300;

export interface FeedState {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** Position up to which the log was heard. */
  readonly position: number;
  /** When the server last said anything, by this machine's clock; null before. */
  readonly heardAtMs: number | null;
  /** Times that events were missing on the way, each mended by reading everything again. */
  readonly gaps: number;
  /** Events of the last ten seconds, a second. */
  readonly rate: number;
}

/** Follows the log for as long as the page is open: connects again by itself, and tells when something was missed. */
export class Feed {
  readonly ring = new EventRing();
  private state: FeedState = { connection: 'connecting', position: 0, heardAtMs: null, gaps: 0, rate: 0 };
  private readonly track = new Track();
  private readonly listeners = new Set<() => void>();
  private readonly followers = new Set<(types: ReadonlySet<string>, missed: boolean) => void>();
  private readonly types = new Set<string>();
  private recent: { readonly atMs: number; readonly count: number }[] = [];
  private count = 0;
  private missed = false;
  private attempt = 0;
  private stopped = new AbortController();
  private timer: ReturnType<typeof setInterval> | undefined;

  start(): void {
    this.stopped = new AbortController();
    this.timer = setInterval(() => this.tell(), TELL_EVERY_MS);
    void this.run(this.stopped.signal);
  }

  stop(): void {
    this.stopped.abort();
    clearInterval(this.timer);
  }

  readonly get = (): FeedState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Hears the types of events that came, in batches, and whether some may have been missed. */
  follow(follower: (types: ReadonlySet<string>, missed: boolean) => void): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.connect(signal);
      } catch {
        // Whatever it was, it is shown as a lost connection, and the next attempt tells what is the matter.
      }
      // The signal may have ended during the connection, which the compiler does not see.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
      if (signal.aborted) return;
      this.change({ connection: 'lost' });
      const waitMs = RETRY_MS[Math.min(this.attempt, RETRY_MS.length - 1)] ?? 0;
      this.attempt += 1;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  private async connect(signal: AbortSignal): Promise<void> {
    if (this.state.position === 0) await this.begin(signal);
    const silence = new AbortController();
    let timeout = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await send(withQuery(PATH, { after: this.state.position }), {
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!response.ok || !response.body) {
        const problem = problemIn(response.status, await response.text());
        // A log that is shorter than what was heard of it is another log: everything begins anew.
        if (response.status === 400) this.forget();
        throw problem;
      }
      this.attempt = 0;
      this.change({ connection: 'live', heardAtMs: Date.now() });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const frames = new FrameReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timeout);
        timeout = setTimeout(() => silence.abort(), SILENCE_MS);
        this.hear(frames.read(value));
      }
    } finally {
      clearTimeout(timeout);
    }
  }

  /** Finds the end of the log, and shows what came before it. */
  private async begin(signal: AbortSignal): Promise<void> {
    const { head } = await get<{ readonly head: number }>('/v1/events', { limit: 1 }, signal);
    const after = Math.max(0, head - BACKLOG);
    const { items } = await get<{ readonly items: readonly RecordedEvent[] }>(
      '/v1/events',
      { after, limit: BACKLOG },
      signal,
    );
    this.ring.add(items);
    this.track.begin(head);
    this.state = { ...this.state, position: head };
    this.missed = true;
  }

  private forget(): void {
    this.ring.clear();
    this.state = { ...this.state, position: 0 };
    this.missed = true;
  }

  private hear(frames: ReturnType<FrameReader['read']>): void {
    const heard = this.track.hear(frames);
    this.ring.add(heard.events);
    this.count += heard.events.length;
    for (const { type } of heard.events) this.types.add(type);
    if (heard.gap) this.missed = true;
    this.state = {
      ...this.state,
      position: this.track.position,
      heardAtMs: Date.now(),
      gaps: this.state.gaps + (heard.gap ? 1 : 0),
    };
  }

  private change(part: Partial<FeedState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }

  private tell(): void {
    const nowMs = Date.now();
    this.recent = [...this.recent.filter(({ atMs }) => nowMs - atMs < 10_000), { atMs: nowMs, count: this.count }];
    this.count = 0;
    this.ring.settle();
    const rate = Math.round(this.recent.reduce((sum, { count }) => sum + count, 0) / 10);
    if (rate !== this.state.rate) this.state = { ...this.state, rate };
    for (const listener of this.listeners) listener();
    if (this.types.size === 0 && !this.missed) return;
    const types = new Set(this.types);
    const { missed } = this;
    this.types.clear();
    this.missed = false;
    for (const follower of this.followers) follower(types, missed);
  }
}
