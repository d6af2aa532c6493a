import { setTimeout as delay } from 'node:timers/promises';
import type { ModelClient } from './client.js';
import type { Engine } from './engine.js';
import { VLLM_VERSION } from './install.js';
import { look, saidOf, verdictOf } from './look.js';
import { MODEL } from './model.js';
import { readingOf } from './readings.js';
import type { Report } from './report.js';

const LONGEST_START_MS = 600_000;
const LOOK_MS = 250;

/** Nobody listens yet. */
export async function beforeStart(url: string, apiKey: string, report: Report): Promise<void> {
  report.title('Before the start:');
  const result = await look(url, { apiKey });
  report.hold('refused', verdictOf(result) === 'refused', saidOf(result));
}

/**
 * Looks at a server from its first moment until it is ready.
 * @throws Error with the last words of a server that ends before that, or takes too long
 */
export async function whileLoading(engine: Engine, url: string, apiKey: string, report: Report): Promise<void> {
  report.title('While it loads:');
  const startedMs = performance.now();
  const verdicts = new Map<string, number>();
  for (;;) {
    const result = await look(url, { apiKey });
    if (result.outcome === 'ready') break;
    const verdict = verdictOf(result);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (!engine.isRunning || performance.now() - startedMs > LONGEST_START_MS)
      throw new Error(await engine.lastWords());
    await delay(LOOK_MS);
  }
  const seen = [...verdicts].map(([verdict, count]) => `${count} times ${verdict}`).join(', ');
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const others = [...verdicts.keys()].filter((verdict) => verdict !== 'refused' && verdict !== 'loading');
  report.hold(
    `refused or loading until it is ready after ${seconds} s`,
    verdicts.size > 0 && others.length === 0,
    seen,
  );
}

/** What a ready server tells of itself, and who is told from it. */
export async function onceReady(url: string, apiKey: string, report: Report): Promise<void> {
  report.title('Ready:');
  const result = await look(url, { apiKey });
  const { servedModel, contextLength, engineVersion, adapters } =
    result.outcome === 'ready' ? result : { servedModel: verdictOf(result) };
  report.hold('it answers an inference', result.outcome === 'ready' && result.inferenceMs !== null, saidOf(result));
  report.compare('served model', servedModel, MODEL.servedName);
  report.compare('context length', contextLength, MODEL.contextLength);
  report.compare('version', engineVersion, VLLM_VERSION);
  report.compare('adapters', adapters, []);
  const other = await look(url, { apiKey, expectedModel: 'Tiny' });
  report.compare(
    'a name in other letters',
    [verdictOf(other), saidOf(other)],
    ['wrong-model', `found ${MODEL.servedName}`],
  );
  for (const [what, key] of [
    ['no key', undefined],
    ['another key', `${apiKey}0`],
  ] as const) {
    const refused = await look(url, key === undefined ? {} : { apiKey: key });
    report.hold(what, verdictOf(refused) === 'unauthorised' && saidOf(refused).includes('401'), saidOf(refused));
  }
}

/** A sleeping server: alive, listed, and not to be asked. */
export async function asleep(client: ModelClient, apiKey: string, report: Report): Promise<void> {
  report.title('Asleep:');
  await client.post('/sleep?level=1');
  const sleeping = await look(client.url, { apiKey });
  report.hold('it is seen, and not asked for an inference', verdictOf(sleeping) === 'asleep', saidOf(sleeping));
  report.compare('its metrics', readingOf(await client.metrics()).sleep, { '0': 'level1' });
  await client.post('/wake_up');
  const awake = await look(client.url, { apiKey });
  report.hold('awake again, it is ready', awake.outcome === 'ready', saidOf(awake));
  report.compare('its metrics', readingOf(await client.metrics()).sleep, { '0': 'awake' });
}
