import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@davit/test-support';
import type { EngineReading } from '@davit/runtime-prober';
import type { Completion, ModelClient } from './client.js';
import { LIMITS } from './engine.js';
import { MODEL } from './model.js';
import { grown, readingOf } from './readings.js';
import type { Report } from './report.js';

const PROMPT_TOKENS = 4;
const GENERATED = MODEL.contextLength - PROMPT_TOKENS;
const USERS = 6;
/** The machine may be busy with other things, and then few looks fall into the load. */
const LONGEST_MS = 180_000;
const LOOK_MS = 10;

/** Answers as long as the context allows: two of them need more blocks than there are. */
export const long = (from: number): Completion => ({ promptTokens: PROMPT_TOKENS, from, generate: GENERATED });

/**
 * More users at once than there are places: the prober sees who runs and who waits, and how full the cache is. Who was answered asks
 * again until all of that was seen.
 */
export async function crowd(client: ModelClient, report: Report): Promise<void> {
  report.title('Load: six users with long requests for two places.');
  const before = readingOf(await client.metrics());
  const seen: EngineReading[] = [];
  const untilMs = performance.now() + LONGEST_MS;
  const isSeen = (): boolean => fullOf(seen) !== undefined && isFilled(fullestOf(seen));
  const use = async (from: number): Promise<number> => {
    let answered = 0;
    do {
      await client.complete(long(from));
      answered += 1;
    } while (!isSeen() && performance.now() < untilMs);
    return answered;
  };
  const answers = Promise.all(Array.from({ length: USERS }, (_, from) => use(from)));
  let answered: readonly number[] | undefined;
  while (!(answered = await Promise.race([answers, look(client, seen)]))) await delay(LOOK_MS);

  const asked = answered.reduce((all, each) => all + each, 0);
  const full = fullOf(seen);
  report.hold('two run and four wait', full !== undefined, `${seen.length} readings, ${asked} requests`);
  report.compare('why they wait', full?.waitingByReason, { capacity: USERS - LIMITS.sequences, deferred: 0 });
  report.hold('the cache fills', isFilled(fullestOf(seen)), fullestOf(seen).toFixed(3));
  const after = await eventually(async () => {
    const present = readingOf(await client.metrics());
    const isOver = grown(before, present, ({ finishedTotal }) => finishedTotal) >= asked;
    return isOver && present.running === 0 && present.waiting === 0 && present;
  });
  const preempted = grown(before, after, ({ preemptions }) => preemptions);
  report.hold('a request had to give its blocks up', preempted > 0, `${preempted} preemptions`);
  report.compare(
    'requests ended, given up or not',
    grown(before, after, ({ finished }) => finished?.['length']) - asked,
    0,
  );
  report.compare(
    'generated tokens, given up or not, less those that were asked for',
    grown(before, after, ({ generationTokens }) => generationTokens) - asked * GENERATED,
    0,
  );
}

async function look(client: ModelClient, seen: EngineReading[]): Promise<undefined> {
  seen.push(readingOf(await client.metrics()));
}

const fullOf = (seen: readonly EngineReading[]): EngineReading | undefined =>
  seen.find(({ running, waiting }) => running === LIMITS.sequences && waiting === USERS - LIMITS.sequences);

const fullestOf = (seen: readonly EngineReading[]): number =>
  seen.reduce((most, { kvCacheUsage }) => Math.max(most, kvCacheUsage?.max ?? 0), 0);

const isFilled = (usage: number): boolean => usage > 0.8 && usage <= 1;
