import { type Browser, type CDPSession, type Page, chromium } from 'playwright-core';
import type { Figure } from '../bench.js';
import type { Traffic } from './traffic.js';

/** Beyond this a task is felt. Source: https://www.w3.org/TR/longtasks-1/ */
const FELT_MS = 50;
const SETTLE_MS = 3_000;
const GIVE_UP_MS = 60_000;

interface Seen {
  readonly frames: readonly number[];
  readonly tasks: readonly number[];
}

/** Counts frames and long tasks from within the page. */
const WATCH = `(() => {
  const seen = { frames: [], tasks: [] };
  let last = performance.now();
  const frame = (now) => { seen.frames.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.tasks.push(duration); })
    .observe({ type: 'longtask' });
  window.davitSeen = { take() { return { frames: seen.frames.splice(0), tasks: seen.tasks.splice(0) }; } };
})()`;

/** Looks at the page in Chromium, and at how smoothly it is drawn. */
export class Watcher {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly debug: CDPSession,
    private readonly url: string,
  ) {}

  /** @throws Error when there is no Chromium */
  static async open(url: string): Promise<Watcher> {
    const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    return new Watcher(browser, page, await page.context().newCDPSession(page), url);
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  async watch(view: string, seconds: number, traffic: Traffic): Promise<readonly Figure[]> {
    await this.page.goto(new URL(view, this.url).href);
    await this.page.getByRole('row').nth(2).waitFor({ timeout: 60_000 });
    await this.page.evaluate(WATCH);
    await this.page.waitForTimeout(SETTLE_MS);
    const idle = await this.take();
    const before = await this.heapMiB();
    await this.take();
    traffic.start();
    await this.page.waitForTimeout(seconds * 1_000);
    const busy = await this.take();
    const { rate, position } = await traffic.stop();
    const behindMs = await this.untilShown(position);
    const after = await this.heapMiB();
    return figuresOf({ idle, busy, seconds, rate, behindMs, before, after });
  }

  /** How long it takes until the page says that it has heard of a position. @throws Error when it does not within a minute */
  private async untilShown(position: number): Promise<number> {
    const startedMs = performance.now();
    for (;;) {
      const told = await this.page.getByRole('banner').innerText();
      const waitedMs = performance.now() - startedMs;
      if (Number(/position (\d+)/.exec(told)?.[1]) >= position) return waitedMs;
      if (waitedMs > GIVE_UP_MS) throw new Error(`the page does not come to position ${position}; it says: ${told}`);
      await this.page.waitForTimeout(10);
    }
  }

  private take(): Promise<Seen> {
    return this.page.evaluate('window.davitSeen.take()');
  }

  /** What is in use after a collection. */
  private async heapMiB(): Promise<number> {
    await this.debug.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.debug.send('Runtime.getHeapUsage');
    return usedSize / 1_048_576;
  }
}

interface Measured {
  readonly idle: Seen;
  readonly busy: Seen;
  readonly seconds: number;
  readonly rate: number;
  readonly behindMs: number;
  readonly before: number;
  readonly after: number;
}

function figuresOf({ idle, busy, seconds, rate, behindMs, before, after }: Measured): readonly Figure[] {
  const blockedMs = busy.tasks.reduce((sum, ms) => sum + Math.max(0, ms - FELT_MS), 0);
  const idleRate = (idle.frames.length * 1_000) / SETTLE_MS;
  const frameRate = busy.frames.length / seconds;
  const p95 = quantile(busy.frames, 0.95);
  return [
    { what: 'events written', value: rate, unit: '/s' },
    { what: 'frames', value: frameRate, unit: '/s', ratio: frameRate / idleRate, budget: { atLeast: 30 } },
    {
      what: 'from frame to frame, p95',
      value: p95,
      unit: 'ms',
      ratio: p95 / quantile(idle.frames, 0.95),
      budget: { atMost: 50 },
    },
    { what: 'from frame to frame, p99', value: quantile(busy.frames, 0.99), unit: 'ms' },
    { what: 'tasks over 50 ms', value: busy.tasks.length / seconds, unit: '/s' },
    { what: 'tasks over 50 ms while nothing happens', value: idle.tasks.length / (SETTLE_MS / 1_000), unit: '/s' },
    { what: 'longest task', value: Math.max(0, ...busy.tasks), unit: 'ms' },
    { what: 'blocked beyond 50 ms, each second', value: blockedMs / seconds, unit: 'ms', budget: { atMost: 100 } },
    { what: 'until the last event is on the page', value: behindMs, unit: 'ms', budget: { atMost: 1_000 } },
    { what: 'heap after a collection', value: after, unit: 'MiB' },
    { what: 'heap gained meanwhile', value: Math.max(0, after - before), unit: 'MiB', budget: { atMost: 30 } },
  ];
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
