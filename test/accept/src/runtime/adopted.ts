import { ratesBetween } from '@davit/runtime-prober';
import { eventually } from '@davit/test-support';
import type { ModelClient } from './client.js';
import { long } from './crowd.js';
import type { Davit } from './davit.js';
import type { Engine } from './engine.js';
import { VLLM_VERSION } from './install.js';
import { MODEL } from './model.js';
import { readingOf } from './readings.js';
import type { Report } from './report.js';

const LONGEST_MS = 60_000;
const LONGEST_START_MS = 600_000;
const [RUNNING_GAUGE, RATE_GAUGE] = ['davit_replica_requests_running', 'davit_replica_generated_tokens_per_second'];

/** The server as Davit's services see it: adopted, routed, lost and found again. */
export interface Adopted {
  readonly davit: Davit;
  readonly client: ModelClient;
  readonly report: Report;
}

export async function adopt({ davit, client, report }: Adopted): Promise<void> {
  report.title('Adopted by the services:');
  await davit.adopt(client.url);
  await back({ davit, client, report }, 'the route leads to it');
  const [target] = await davit.targets();
  report.compare('target of the route', [target?.url, target?.model], [client.url, MODEL.servedName]);
  const proof = (await davit.verdicts()).at(-1);
  const evidence = proof?.type === 'davit.runtime.became-ready' ? proof.data.evidence : undefined;
  const { contextLength, adapters, engineVersion } = evidence ?? {};
  report.compare(
    'evidence in the log',
    { contextLength, adapters, engineVersion },
    { contextLength: MODEL.contextLength, adapters: [], engineVersion: VLLM_VERSION },
  );
}

/** What others see of it where they scrape the prober. */
export async function shownToOthers({ davit, client, report }: Adopted): Promise<void> {
  report.title('Load, as the prober shows it to others:');
  const answered = Promise.all([1, 2, 3].map((from) => client.complete(long(from))));
  const shown = async (gauge: string): Promise<number> => {
    const line = (await davit.fleetMetrics()).split('\n').find((each) => each.startsWith(`${gauge}{`));
    return Number(line?.split(' ').at(-1) ?? NaN);
  };
  const rises = await eventually(async () => (await shown(RATE_GAUGE)) > 0, { timeoutMs: LONGEST_MS }).catch(
    () => false,
  );
  report.hold('tokens a second rise', rises);
  await answered;
  const ends = await eventually(async () => (await shown(RUNNING_GAUGE)) === 0, { timeoutMs: LONGEST_MS }).catch(
    () => false,
  );
  report.hold('and nothing runs in the end', ends);
}

/** The core stands still while requests are in it; the server in front answers on. */
export async function coreStopped(adopted: Adopted, engine: Engine): Promise<void> {
  const { client, report } = adopted;
  report.title('SIGSTOP of the core, under load:');
  const core = await engine.core();
  // Their fate is that of the server.
  const load = Promise.allSettled([1, 2, 3].map((from) => client.complete(long(from))));
  await eventually(
    async () => (await client.metrics()).includes('num_requests_running{engine="0",model_name="tiny"} 2'),
    { timeoutMs: LONGEST_MS },
  );
  process.kill(core, 'SIGSTOP');
  try {
    const { replica = '' } = (await adopted.davit.targets())[0] ?? {};
    await lost(adopted, ['hung']);
    report.hold('its health check says all is well', (await fetch(`${client.url}/health`)).ok);
    const told = await adopted.davit.explain(replica);
    const cited = told.split('\n').filter((line) => /health answered 200|frozen/.test(line));
    report.hold('explain cites both signals', /health answered 200/.test(told) && /frozen for/.test(told));
    for (const line of cited.slice(-2)) report.title(`              ${line.trim()}`);
  } finally {
    process.kill(core, 'SIGCONT');
  }
  await back(adopted, 'after SIGCONT the route is back');
  const outcomes = (await load).map(({ status }) => status);
  report.compare('what became of the requests', outcomes, ['fulfilled', 'fulfilled', 'fulfilled']);
}

/** The server that answers stands still: connections are taken and nothing comes. */
export async function serverStopped(adopted: Adopted, engine: Engine): Promise<void> {
  adopted.report.title('SIGSTOP of the server:');
  process.kill(engine.server, 'SIGSTOP');
  try {
    await lost(adopted, ['timeout']);
  } finally {
    process.kill(engine.server, 'SIGCONT');
  }
  await back(adopted, 'after SIGCONT the route is back');
}

export async function putToSleep(adopted: Adopted): Promise<void> {
  adopted.report.title('Put to sleep:');
  await adopted.client.post('/sleep?level=1');
  await lost(adopted, ['asleep']);
  await adopted.client.post('/wake_up');
  await back(adopted, 'awake, the route is back');
}

/** The core dies, and the server with it; another one takes its place. */
export async function coreKilled(adopted: Adopted, engine: Engine, restart: () => Promise<Engine>): Promise<void> {
  const { report } = adopted;
  report.title('kill -9 of the core:');
  const [before, readMs] = [readingOf(await adopted.client.metrics()), performance.now()];
  process.kill(await engine.core(), 'SIGKILL');
  await lost(adopted, ['engine-dead', 'refused']);
  report.hold('the server ends by itself', await engine.gone(30_000));
  await engine.kill();
  await adopted.davit.restart(['runtime-prober', 'router-registry']);
  report.compare('targets, once prober and registry were killed and are back', await adopted.davit.targets(), []);
  const next = await restart();
  await back(adopted, 'started anew, the route is back', LONGEST_START_MS);
  const answer = await adopted.client.complete(long(1));
  report.hold('the new server answers', next.isRunning && answer.usage.completion_tokens > 0);
  const after = await eventually(async () => {
    const present = readingOf(await adopted.client.metrics());
    return present.running === 0 && present;
  });
  const { restarted, generationTokensPerSecond } = ratesBetween(before, after, performance.now() - readMs);
  report.hold(
    'its counters began anew, and no rate falls below zero',
    restarted && (generationTokensPerSecond ?? -1) > 0,
    `${generationTokensPerSecond?.toFixed(1)} tokens a second since the last reading of the old one`,
  );
}

/** The deployment is deleted; the server, which was there before, stays. */
export async function letGo({ davit, client, report }: Adopted, apiKey: string): Promise<void> {
  report.title('Deleted:');
  await davit.remove();
  report.compare('targets', await davit.targets(), []);
  report.hold("the server is nobody else's to end: it answers", (await client.complete(long(1))).tookSeconds > 0);
  report.compare('places in logs and events where its key stands', await davit.placesOf(apiKey), []);
}

async function lost({ davit, report }: Adopted, reasons: readonly string[]): Promise<void> {
  const tookMs = await davit.untilRouted(false, LONGEST_MS);
  const last = (await davit.verdicts()).at(-1);
  const said = last?.type === 'davit.runtime.became-unready' ? last.data : undefined;
  const took = tookMs === undefined ? 'never' : `${(tookMs / 1_000).toFixed(1)} s`;
  report.hold('the route is gone', tookMs !== undefined, took);
  report.hold(
    `the reason is ${reasons.join(' or ')}`,
    reasons.includes(said?.reason ?? ''),
    `${said?.reason}, ${said?.detail}`,
  );
}

async function back({ davit, report }: Adopted, what: string, withinMs = LONGEST_MS): Promise<void> {
  const tookMs = await davit.untilRouted(true, withinMs);
  report.hold(what, tookMs !== undefined, tookMs === undefined ? 'never' : `${(tookMs / 1_000).toFixed(1)} s`);
}
