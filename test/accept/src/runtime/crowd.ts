import { eventually } from '@davit/test-support';
import type { EngineReading } from '@davit/runtime-prober';
import type { Completion, ModelClient } from './client.js';
import { LIMITS } from './engine.js';
import { MODEL } from './model.js';
import { readingOf } from './readings.js';
import type { Report } from './report.js';

const PROMPT_TOKENS = 4;

/** Answers as long as the context allows: two of them need more blocks than there are. */
export const long = (from: number): Completion => ({
  promptTokens: PROMPT_TOKENS,
  from,
  generate: MODEL.contextLength - PROMPT_TOKENS,
});

/** More requests at once than there are places: the prober sees who runs and who waits, and how full the cache is. */
export async function crowd(client: ModelClient, report: Report): Promise<void> {
  report.title('Load: six long requests for two places.');
  const before = readingOf(await client.metrics());
  const requests = Array.from({ length: 6 }, (_, index) => client.complete(long(index)));
  const answered = Promise.all(requests).then(() => 'answered' as const);
  const seen: EngineReading[] = [];
  for (;;) {
    const next = await Promise.race([answered, client.metrics()]);
    if (next === 'answered') break;
    seen.push(readingOf(next));
  }

  const full = seen.find(({ running, waiting }) => running === LIMITS.sequences && waiting === 6 - LIMITS.sequences);
  report.hold('two run and four wait', full !== undefined, `${seen.length} readings`);
  report.compare('why they wait', full?.waitingByReason, { capacity: 4, deferred: 0 });
  const fullest = seen.reduce((most, { kvCacheUsage }) => Math.max(most, kvCacheUsage?.max ?? 0), 0);
  report.hold('the cache fills', fullest > 0.8 && fullest <= 1, fullest.toFixed(3));
  const after = await eventually(async () => {
    const present = readingOf(await client.metrics());
    return present.running === 0 && present.waiting === 0 && present;
  });
  const preempted = (after.preemptions ?? NaN) - (before.preemptions ?? NaN);
  report.hold('a request had to give its blocks up', preempted > 0, `${preempted} preemptions`);
  const tokens = (after.generationTokens ?? NaN) - (before.generationTokens ?? NaN);
  report.compare('generated tokens, given up or not', tokens, 6 * (MODEL.contextLength - PROMPT_TOKENS));
}
