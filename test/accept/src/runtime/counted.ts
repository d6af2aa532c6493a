import { eventually } from '@davit/test-support';
import type { EngineReading } from '@davit/runtime-prober';
import type { Answered, Completion, ModelClient } from './client.js';
import { LIMITS } from './engine.js';
import { disagreements, grown, quantilesOf, readingOf, referenceSamples } from './readings.js';
import type { Report } from './report.js';

/** Requests of many sizes that share no beginning, one that is sent twice, and one whose answer ends by itself. */
const REQUESTS: readonly Completion[] = [
  ...Array.from({ length: 20 }, (_, index) => ({ promptTokens: 3 + index, from: 7 * index, generate: 1 + index })),
  { promptTokens: 300, from: 200, generate: 4 },
  { promptTokens: 300, from: 200, generate: 4 },
  { promptTokens: 5, from: 150, generate: 50, stopAtOnce: true },
];
/** Whole blocks of the prompt that came twice. */
const CACHED = Math.floor(300 / LIMITS.blockTokens) * LIMITS.blockTokens;

/** Quantities of the prober's table that only other releases have, or servers that are set up otherwise. */
const NOT_HERE = ['swapped', 'requests', 'lora'] as const;

/** Sends a known number of requests and tokens: the server's counters, as the prober reads them, move by exactly that. */
export async function countRequests(client: ModelClient, python: string, report: Report): Promise<void> {
  report.title('Metrics: what was sent is what is read.');
  const before = readingOf(await client.metrics());
  const answers: Answered[] = [];
  for (const request of REQUESTS) answers.push(await client.complete(request));
  const body = await eventually(async () => {
    const present = await client.metrics();
    return grown(before, readingOf(present), ({ finishedTotal }) => finishedTotal) >= REQUESTS.length && present;
  });
  const after = readingOf(body);

  const sum = (count: (request: Completion) => number): number => REQUESTS.reduce((all, each) => all + count(each), 0);
  const generated = ({ generate, stopAtOnce = false }: Completion): number => (stopAtOnce ? 1 : generate);
  const usage = (count: keyof Answered['usage']): number =>
    answers.reduce((all, answer) => all + answer.usage[count], 0);
  report.compare(
    'prompt tokens, as its answers say',
    usage('prompt_tokens'),
    sum(({ promptTokens }) => promptTokens),
  );
  report.compare('generated tokens, as its answers say', usage('completion_tokens'), sum(generated));
  const moved = (what: string, of: (reading: EngineReading) => number | null | undefined, by: number): void =>
    report.compare(what, grown(before, after, of), by);
  moved(
    'prompt tokens',
    ({ promptTokens }) => promptTokens,
    sum(({ promptTokens }) => promptTokens),
  );
  moved('generated tokens', ({ generationTokens }) => generationTokens, sum(generated));
  moved('prompt tokens from the cache', ({ cachedPromptTokens }) => cachedPromptTokens, CACHED);
  moved(
    'tokens looked up in the cache',
    ({ prefixCache }) => prefixCache.queries,
    sum(({ promptTokens }) => promptTokens),
  );
  moved('tokens found in the cache', ({ prefixCache }) => prefixCache.hits, CACHED);
  moved('requests ended at their length', ({ finished }) => finished?.['length'], REQUESTS.length - 1);
  moved('requests ended by a token', ({ finished }) => finished?.['stop'], 1);
  moved('requests ended', ({ finishedTotal }) => finishedTotal, REQUESTS.length);
  moved('preemptions', ({ preemptions }) => preemptions, 0);
  moved('times to the first token', ({ firstTokenSeconds }) => firstTokenSeconds?.count, REQUESTS.length);
  moved('times between tokens', ({ interTokenSeconds }) => interTokenSeconds?.count, sum(generated) - REQUESTS.length);
  moved('times to the end', ({ endToEndSeconds }) => endToEndSeconds?.count, REQUESTS.length);
  moved('times in the queue', ({ queueSeconds }) => queueSeconds?.count, REQUESTS.length);
  const [first, whole] = [
    grown(before, after, ({ firstTokenSeconds }) => firstTokenSeconds?.sum),
    grown(before, after, ({ endToEndSeconds }) => endToEndSeconds?.sum),
  ];
  const waited = answers.reduce((all, { tookSeconds }) => all + tookSeconds, 0);
  const seconds = [0, first, whole, waited].map((value) => value.toFixed(2));
  report.hold(
    'first tokens came before ends, and ends before answers',
    0 < first && first < whole && whole < waited,
    seconds.join(' < '),
  );

  atRest(after, report);
  const reference = await referenceSamples(python, body);
  const differing = disagreements(body, reference);
  report.compare(`all ${reference.length} samples, as the reference parser reads them`, differing, []);
  for (const [name, ours, theirs] of await quantilesOf(python, body))
    report.compare(`p50, p95, p99 of ${name}, as the reference works them out`, ours, theirs);
}

/** What an idle server says that is no counter. */
function atRest(reading: EngineReading, report: Report): void {
  report.compare('running, waiting', [reading.running, reading.waiting], [0, 0]);
  report.compare('waiting by reason', reading.waitingByReason, { capacity: 0, deferred: 0 });
  report.compare('use of the cache', reading.kvCacheUsage, { max: 0, mean: 0 });
  report.compare('engines', reading.engines, ['0']);
  report.compare('sleep', reading.sleep, { '0': 'awake' });
  report.compare('cache', reading.cache, { '0': { blockSize: LIMITS.blockTokens, gpuBlocks: LIMITS.blocks } });
  const silent = Object.entries(reading).flatMap(([name, value]) => (value === null ? [name] : []));
  report.compare('what this server does not say', silent, NOT_HERE);
}

/** The same facts where another format is asked for, compressed and with names that lost their colon. */
export async function askOtherwise(client: ModelClient, report: Report): Promise<void> {
  const plain = readingOf(await client.metrics());
  const other = readingOf(await client.metrics('/metrics/', 'application/openmetrics-text'));
  const differing = Object.entries(flat(plain)).filter(([name, value]) => flat(other)[name] !== value);
  report.compare(
    'what reads differently in OpenMetrics, compressed and without colons',
    differing.map(([name]) => name),
    [],
  );
}

/** All that was read, by name, as text. */
const flat = ({ counters, ...rest }: EngineReading): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...rest, counters: [...counters] }).map(([name, value]) => [name, JSON.stringify(value)]),
  );
