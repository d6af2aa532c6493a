import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '@davit/event-log';
import type { NatsConnection } from 'nats';
import type { Figure } from '../bench.js';
import { percentile } from '../measure.js';
import { atRest } from '../processor.js';
import type { ServiceProcess } from '../service-process.js';
import { type Answer, type Measured, type Question, ask, askMeasured } from './ask.js';
import { verdict } from './fleet.js';

export type ExportParts = {
  readonly registry: ServiceProcess;
  readonly log: EventLog;
  readonly connection: NatsConnection;
  readonly names: readonly string[];
  readonly targets: number;
  readonly times: number;
};

const BUDGET = { atMost: 30 } as const;
const CHANGE_MS = 200;

/** How long the exports take to be read to their end, beside a server that has the same number of bytes ready. */
export async function exportTimes(parts: ExportParts): Promise<readonly Figure[]> {
  const { registry, times } = parts;
  const httpSd = { url: new URL('/v1/exports/http_sd', registry.url).href };
  const { bytes } = await whole(httpSd, parts.targets);
  // Until then the relay fills the broker with the past of the fleet, and its registrations are being published.
  await mirrored(parts);
  await atRest(registry.pid);
  const plain = await askStatic(bytes, times);
  const asked = (question: Question): Promise<Measured> => askMeasured(question, times, registry.pid);
  const still = await asked(httpSd);
  const zipped = await asked({ ...httpSd, headers: { 'accept-encoding': 'gzip' } });
  const changing = await whileRoutesChange(parts, () => asked(httpSd));
  const liteLlm = await asked({ url: new URL('/v1/exports/litellm', registry.url).href });
  const envoy = await asked({ url: new URL('/v3/discovery:endpoints', registry.url).href, body: '{}' });
  const figure = (what: string, measured: Measured, share: number, promise = false): Figure => {
    const took = ({ answers }: Measured): number =>
      percentile(
        answers.map(({ tookMs }) => tookMs),
        share,
      );
    const ratio = measured === plain ? {} : { ratio: took(measured) / took(plain) };
    return { what, value: took(measured), unit: 'ms', ...ratio, ...(promise ? { budget: BUDGET } : {}) };
  };
  const cost = (what: string, { cpuMs }: Measured): Figure => ({
    ...{ what: `processor time of each answer, ${what}`, value: cpuMs, unit: 'ms' },
    ratio: cpuMs / plain.cpuMs,
  });
  return [
    { what: 'http_sd, size', value: bytes / 1_048_576, unit: 'MiB' },
    { what: 'http_sd, size compressed', value: (zipped.answers.at(-1)?.bytes ?? 0) / 1_048_576, unit: 'MiB' },
    figure('the same bytes from a plain server, p50', plain, 0.5),
    figure('the same bytes from a plain server, p99', plain, 0.99),
    figure('http_sd, p50', still, 0.5),
    figure('http_sd, p99', still, 0.99, true),
    figure('http_sd compressed, p99', zipped, 0.99, true),
    figure('http_sd while routes change five times a second, p50', changing, 0.5),
    figure('http_sd while routes change five times a second, p99', changing, 0.99, true),
    figure('LiteLLM, p99', liteLlm, 0.99),
    figure('Envoy EDS over REST, p99', envoy, 0.99),
    cost('plain server', plain),
    cost('http_sd', still),
    cost('http_sd compressed', zipped),
    cost('http_sd while routes change', changing),
  ];
}

/** The first answer that lists every target: the registry begins to publish once it holds the whole log. */
async function whole(question: Question, targets: number): Promise<Answer> {
  for (;;) {
    const response = await fetch(question.url, { headers: { 'accept-encoding': 'identity' } });
    const groups = (await response.json()) as readonly { readonly targets: readonly string[] }[];
    if (groups.reduce((sum, group) => sum + group.targets.length, 0) >= targets) return ask(question);
    await delay(250);
  }
}

/** Waits until the broker holds the whole log: on a busy machine a relay that waits for its turn looks like one at rest. */
async function mirrored({ log, connection }: ExportParts): Promise<void> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  for (;;) {
    const [head, { state }] = await Promise.all([log.head(), manager.streams.info('LOG')]);
    if (state.last_seq >= head) return;
    await delay(250);
  }
}

async function askStatic(bytes: number, times: number): Promise<Measured> {
  const child = fork(new URL('./static.js', import.meta.url));
  try {
    child.send(bytes);
    const [port] = (await once(child, 'message')) as [number];
    return await askMeasured({ url: `http://127.0.0.1:${port}/` }, times, child.pid);
  } finally {
    child.kill();
  }
}

async function whileRoutesChange<Value>({ log, names }: ExportParts, work: () => Promise<Value>): Promise<Value> {
  const stop = new AbortController();
  const changing = (async () => {
    for (let turn = 0; !stop.signal.aborted; turn++) {
      const name = names[turn % names.length] ?? '';
      const ready = Math.floor(turn / names.length) % 2 === 1;
      await log.append([verdict(name, 0, ready)], { tenant: 'default', service: 'bench' });
      await delay(CHANGE_MS);
    }
  })();
  try {
    return await work();
  } finally {
    stop.abort();
    await changing;
  }
}
