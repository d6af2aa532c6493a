import { eventually } from '@davit/test-support';
import type { ModelClient } from './client.js';
import { long } from './crowd.js';
import type { Davit } from './davit.js';
import type { Engine } from './engine.js';
import type { Report } from './report.js';

const LONGEST_MS = 60_000;
const LONGEST_START_MS = 300_000;

/** The server as Davit's services see it: adopted, routed, lost and found again. */
export interface Adopted {
  readonly davit: Davit;
  readonly client: ModelClient;
  readonly report: Report;
}

export async function adopt({ davit, client, report }: Adopted): Promise<void> {
  report.title('Adopted by the services:');
  davit.start();
  await davit.adopt(client.url);
  await back({ davit, client, report }, 'the route leads to it');
  const [target] = await davit.targets();
  report.compare('target of the route', [target?.url, target?.model], [client.url, 'tiny']);
}

/** The core stands still while requests are in it; the server in front answers on. */
export async function coreStopped(adopted: Adopted, engine: Engine): Promise<void> {
  const { client, report } = adopted;
  report.title('SIGSTOP of the core, under load:');
  const core = await engine.core();
  // Their fate is that of the server.
  const load = Promise.allSettled([1, 2, 3].map((from) => client.complete(long(from))));
  await eventually(async () =>
    (await client.metrics()).includes('num_requests_running{engine="0",model_name="tiny"} 2'),
  );
  process.kill(core, 'SIGSTOP');
  try {
    await lost(adopted, ['hung']);
    report.hold('its health check says all is well', (await fetch(`${client.url}/health`)).ok);
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
  process.kill(await engine.core(), 'SIGKILL');
  await lost(adopted, ['engine-dead', 'refused']);
  report.hold('the server ends by itself', await engine.gone(30_000));
  await engine.kill();
  const next = await restart();
  await back(adopted, 'started anew, the route is back', LONGEST_START_MS);
  report.hold('the new server answers', next.isRunning && (await adopted.client.complete(long(1))).tookSeconds > 0);
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
