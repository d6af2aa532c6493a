import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skip } from '../environment.js';
import {
  type Adopted,
  adopt,
  coreKilled,
  coreStopped,
  letGo,
  putToSleep,
  serverStopped,
  shownToOthers,
} from './adopted.js';
import { abandonOne } from './abandoned.js';
import { asleep, beforeStart, onceReady, whileLoading } from './alone.js';
import { ModelClient } from './client.js';
import { askOtherwise, countRequests } from './counted.js';
import { crowd } from './crowd.js';
import { Davit } from './davit.js';
import { Engine } from './engine.js';
import { VLLM_VERSION, installVllm, pythonOf } from './install.js';
import { makeModel } from './model.js';
import { freePort } from './processes.js';
import { Report } from './report.js';

const API_KEY = 'a-key-of-this-run';
/** What the server and its core take, with room for the run. */
const NEEDED_GIB = 6;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const report = new Report(say);
/** What was started, and would outlive this program. */
const engines: Engine[] = [];
let davit: Davit | undefined;
const endAll = (): Promise<unknown> => Promise.all([davit?.stop(), ...engines.map((engine) => engine.kill())]);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endAll().finally(() => process.exit(130)));
}

async function accept(python: string): Promise<void> {
  say(`The real vLLM ${VLLM_VERSION}, on this machine's processor, before the prober.`);
  const directory = await mkdtemp(path.join(tmpdir(), 'davit-accept-'));
  const [home, model] = [path.join(directory, 'home'), path.join(directory, 'model')];
  await mkdir(home, { mode: 0o700 });
  const port = await freePort();
  const client = new ModelClient(`http://127.0.0.1:${port}`, API_KEY);
  const start = async (): Promise<Engine> => {
    const engine = await Engine.start({ python, home, model, port, apiKey: API_KEY });
    engines.push(engine);
    return engine;
  };
  try {
    await makeModel(python, model, home);
    await beforeStart(client.url, API_KEY, report);
    const engine = await start();
    await whileLoading(engine, client.url, API_KEY, report);
    await onceReady(client.url, API_KEY, report);
    await countRequests(client, python, report);
    await askOtherwise(client, report);
    await abandonOne(client, report);
    await crowd(client, report);
    await asleep(client, API_KEY, report);
    davit = await Davit.start(API_KEY);
    const adopted: Adopted = { davit, client, report };
    await adopt(adopted);
    await shownToOthers(adopted);
    await coreStopped(adopted, engine);
    await serverStopped(adopted, engine);
    await putToSleep(adopted);
    await coreKilled(adopted, engine, start);
    await letGo(adopted, API_KEY);
  } finally {
    await endAll();
    await rm(directory, { recursive: true, force: true });
  }
  say(JSON.stringify({ engine: 'vllm', version: VLLM_VERSION, ...report.results }));
  process.exitCode = report.isGood ? 0 : 1;
}

const freeGiB = process.availableMemory() / 1024 ** 3;
const installed = await installVllm(say);
if (!installed.ok) skip(`vLLM ${VLLM_VERSION} is not here, and ${installed.why}`, say);
else if (freeGiB < NEEDED_GIB) skip(`${freeGiB.toFixed(1)} GiB of memory are free, and vLLM needs ${NEEDED_GIB}`, say);
else await accept(pythonOf(installed.directory));
