import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { DavitClient } from '@davit/cli';
import type { RecordedEvent, RouteView } from '@davit/contracts';
import { davit, readLog } from '@davit/e2e';
import { eventually } from '@davit/test-support';
import { type System, startSystem } from '../../../../scripts/lib/system.mjs';
import { MODEL } from './model.js';

const [TENANT, NAME] = ['default', MODEL.servedName];
/** The worker key reaches the services by reference: the manifest names this variable of their environment. */
const KEY_VARIABLE = 'TINY_KEY';
/** Ports that neither a person's system nor a test takes. */
const FIRST_PORT = 8_720;
const LONGEST_MS = 60_000;

/** Quicker than by default, so that a run need not wait long for what takes its time. */
const SETTINGS = { DAVIT_PROBE_HANG: '5s', DAVIT_PROBE_INFERENCE_TIMEOUT: '5s' };

/** The whole of Davit, as a person runs it: PostgreSQL, NATS and every service in its own process. */
export class Davit {
  private constructor(
    private readonly system: System,
    private readonly client: DavitClient,
  ) {}

  /** The outside is the simulated one, so that nothing of the person's own accounts is touched. */
  static async start(workerKey: string): Promise<Davit> {
    const system = await startSystem({
      name: 'accept-runtime',
      fresh: true,
      removeOnStop: true,
      world: true,
      signals: false,
      firstPort: FIRST_PORT,
      env: { ...SETTINGS, [KEY_VARIABLE]: workerKey, DATABASE_URL: '', NATS_URL: '' },
      tell: () => undefined,
    });
    return new Davit(system, new DavitClient(urlOf(system, 'spec-api')));
  }

  stop(): Promise<void> {
    return this.system.stop();
  }

  /** Declares a deployment that adopts the server at this address. */
  async adopt(url: string): Promise<void> {
    await this.client.apply({ deployment: manifest(url) });
  }

  /** Deletes it and waits until it is proven gone. */
  async remove(): Promise<void> {
    await this.client.onDeployment('delete', { tenant: TENANT, name: NAME });
    const isGone = async (): Promise<boolean> => {
      const present = await this.client.deployments();
      return present.every(({ name }) => name !== NAME);
    };
    await eventually(isGone, { timeoutMs: LONGEST_MS });
  }

  /** Targets to which new requests go. */
  async targets(): Promise<RouteView['targets']> {
    const routes = await this.client.routes();
    return routes.find(({ alias }) => alias === `${TENANT}/${NAME}`)?.targets ?? [];
  }

  /** How long it took until the route led to the server, or to nobody; undefined when it did not come to that. */
  async untilRouted(isRouted: boolean, withinMs: number): Promise<number | undefined> {
    const startedMs = performance.now();
    const isSo = async (): Promise<boolean> => (await this.targets()).length > 0 === isRouted;
    const came = await eventually(isSo, { timeoutMs: withinMs, everyMs: 100 }).catch(() => false);
    return came ? performance.now() - startedMs : undefined;
  }

  /** The whole log, oldest first. */
  events(): Promise<readonly RecordedEvent[]> {
    return readLog(this.client);
  }

  /** What the prober has written of the server, oldest first. */
  async verdicts(): Promise<readonly RecordedEvent[]> {
    return (await this.events()).filter(({ type }) => type.startsWith('davit.runtime.became-'));
  }

  /** What `davit explain` prints of a replica. */
  async explain(replica: string): Promise<string> {
    return (await davit(urlOf(this.system, 'spec-api'), ['explain', 'replica', replica])).stdout;
  }

  /** Metrics of the replicas, as the prober shows them to others. */
  async fleetMetrics(): Promise<string> {
    return (await fetch(`${urlOf(this.system, 'runtime-prober')}/metrics/fleet`)).text();
  }

  /** kill -9 of services, and their return. */
  async restart(services: readonly string[]): Promise<void> {
    await Promise.all(services.map((service) => this.system.killService(service)));
    await Promise.all(services.map((service) => this.system.restartService(service)));
  }

  /** Files of the services' logs, and the log of events, in which a text stands. */
  async placesOf(text: string): Promise<readonly string[]> {
    const directory = path.join(this.system.dir, 'log');
    const files = await readdir(directory);
    const contents = await Promise.all(
      files.map(async (file) => [file, await readFile(path.join(directory, file), 'utf8')] as const),
    );
    const all = [...contents, ['events', JSON.stringify(await this.events())] as const];
    return all.flatMap(([place, content]) => (content.includes(text) ? [place] : []));
  }
}

function urlOf({ urls }: System, service: string): string {
  const url = urls[service];
  if (url === undefined) throw new Error(`${service} has no address`);
  return url;
}

const manifest = (url: string) => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: NAME },
  spec: {
    model: { id: 'davit/tiny', servedName: MODEL.servedName },
    runtime: { engine: 'vllm', args: ['--max-model-len', String(MODEL.contextLength)] },
    compute: { mode: 'direct', endpoints: [url] },
    scaling: { replicas: 1 },
    secrets: [{ name: 'VLLM_API_KEY', from: { env: KEY_VARIABLE } }],
  },
});
