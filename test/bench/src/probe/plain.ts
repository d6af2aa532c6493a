import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from '@davit/ports';

/** What each probe of a server that works asks. */
const PATHS = ['/health', '/v1/models'] as const;
const TIMEOUT_MS = 5_000;

/** What one stretch of watching came to. */
export type Stretch = {
  readonly probes: number;
  readonly cpuMs: number;
  readonly elapsedMs: number;
  /** How much later than wished each probe of a server that is not slow began, in milliseconds. */
  readonly lateness: readonly number[];
};

/**
 * The plainest way to watch so many servers: a timer for each, the same questions, the same client, and no thought about the answers.
 * @param urls of servers that answer
 */
export async function watchPlainly(
  http: HttpClient,
  urls: readonly string[],
  intervalMs: number,
  lengthMs: number,
): Promise<Stretch> {
  const lateness: number[] = [];
  let probes = 0;
  const timers = new Set<NodeJS.Timeout>();
  const asked = new Set<Promise<void>>();
  const watch = (url: string, dueMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      lateness.push(Math.max(0, performance.now() - dueMs));
      probes += 1;
      watch(url, dueMs + intervalMs);
      const asking = ask(http, url).finally(() => asked.delete(asking));
      asked.add(asking);
    }, dueMs - performance.now());
    timers.add(timer);
  };
  const fromMs = performance.now();
  for (const [index, url] of urls.entries()) watch(url, fromMs + (index * intervalMs) / urls.length);
  // The first round opens the connections, and is not counted.
  await delay(intervalMs);
  [probes, lateness.length] = [0, 0];
  const beganMs = performance.now();
  const before = process.cpuUsage();
  await delay(lengthMs);
  const { user, system } = process.cpuUsage(before);
  const elapsedMs = performance.now() - beganMs;
  for (const timer of timers) clearTimeout(timer);
  // Nothing of it is left to whoever watches next.
  await Promise.all(asked);
  return { probes, lateness, cpuMs: (user + system) / 1_000, elapsedMs };
}

async function ask(http: HttpClient, url: string): Promise<void> {
  for (const path of PATHS) await http.request({ method: 'GET', url: `${url}${path}`, timeoutMs: TIMEOUT_MS });
}
