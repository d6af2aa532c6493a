import { type NormalisedDeployment, parseDeployment } from '@davit/contracts';
import { externalKeyOf } from '@davit/domain';
import { type HttpClient, type HttpOutcome, type HttpRequest, seededRandom, VirtualClock } from '@davit/ports';
import type { LaunchOrder, ProviderBackend } from '@davit/provider-kit';
import { createWorld, MemoryHost, seeded, wholeBody, type World, WORLD_HOSTS } from '@davit/world';
import { vastBackend } from '../vast/backend.js';
import { VastClient } from '../vast/client.js';
import { DEFAULT_VAST_SETTINGS, type VastSettings } from '../vast/settings.js';

/** The simulated Vast, in this process and on virtual time that moves while a call waits. */
export class WorldRig {
  readonly clock = new VirtualClock();
  readonly world: World;
  readonly requests: HttpRequest[] = [];
  readonly bodies: string[] = [];
  /** Surroundings that secrets come from. */
  readonly environment: Record<string, string> = {};
  readonly settings: VastSettings;
  readonly backend: ProviderBackend;
  private keys = 0;

  constructor(
    options: { readonly settings?: Partial<VastSettings>; readonly vast?: object; readonly emergency?: boolean } = {},
  ) {
    const host = new MemoryHost(this.clock);
    this.world = createWorld({ clock: this.clock, random: seeded(11), host, vast: { ...options.vast } });
    this.settings = {
      ...DEFAULT_VAST_SETTINGS,
      consoleUrl: WORLD_HOSTS.vastConsole,
      runUrl: WORLD_HOSTS.vastRun,
      apiKey: this.world.keys.vast,
      templateKey: this.world.keys.vast,
      ...(options.emergency === true ? { emergencyKey: this.world.keys.vast } : {}),
      paceScale: 0,
      ...options.settings,
    };
    this.backend = this.newBackend();
  }

  /** A backend that remembers nothing, as after a restart. */
  newBackend(): ProviderBackend {
    return this.driven(vastBackend(this.parts));
  }

  private get parts() {
    const secrets = (name: string): string | undefined => this.environment[name];
    return { http: this.http, clock: this.clock, random: seededRandom(5), settings: this.settings, secrets };
  }

  newClient(): VastClient {
    return new VastClient(this.parts);
  }

  /** Lets time pass until the promise has settled. */
  async drive<Value>(promise: Promise<Value>): Promise<Value> {
    const state = { settled: false };
    void promise.finally(() => (state.settled = true)).catch(() => undefined);
    for (let waited = 0; !state.settled && waited < 600_000; waited += 20) await this.clock.advance(20);
    return promise;
  }

  private driven(backend: ProviderBackend): ProviderBackend {
    const reap = backend.reap?.bind(backend);
    return {
      ...backend,
      discover: (...args) => this.drive(backend.discover(...args)),
      ensure: (...args) => this.drive(backend.ensure(...args)),
      observe: (...args) => this.drive(backend.observe(...args)),
      delete: (...args) => this.drive(backend.delete(...args)),
      inventory: (...args) => this.drive(backend.inventory(...args)),
      ...(reap && { reap: (row) => this.drive(reap(row)) }),
    };
  }

  readonly http: HttpClient = {
    request: async (request): Promise<HttpOutcome> => {
      this.requests.push(request);
      const reply = await this.world.handleHttp({
        method: request.method,
        url: request.url,
        headers: request.headers ?? {},
        body: request.body ?? '',
      });
      if (reply.kind === 'hang') return { kind: 'failure', reason: 'timeout', detail: 'no answer' };
      if (reply.kind !== 'response') return { kind: 'failure', reason: reply.kind, detail: reply.kind };
      const body = await wholeBody(reply.body);
      this.bodies.push(body);
      if (body.length > (request.maxBytes ?? Infinity)) return { kind: 'failure', reason: 'too-large', detail: '' };
      return { kind: 'response', status: reply.status, headers: reply.headers, body };
    },
  };

  order(spec: NormalisedDeployment = this.spec()): LaunchOrder {
    this.keys += 1;
    const identity = { deployment: 'default/qwen', revision: 1, ordinal: 0, incarnation: this.keys };
    return {
      externalKey: externalKeyOf(identity, 'test'),
      replicaId: `default/qwen-1-0-${this.keys}`,
      ordinal: 0,
      deployment: spec,
      placement: null,
      holdsLease: () => Promise.resolve(true),
    };
  }

  spec(compute: object = {}): NormalisedDeployment {
    const parsed = parseDeployment({
      apiVersion: 'davit.dev/v1',
      kind: 'Deployment',
      metadata: { name: 'qwen' },
      spec: {
        model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen3-8b' },
        runtime: { engine: 'vllm' },
        compute: {
          mode: 'serverless',
          templateHash: this.world.vast.standardTemplateHash,
          workers: { cold: 1, max: 2, minLoad: 1 },
          ...compute,
        },
      },
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return parsed.deployment;
  }

  /** Endpoints of this name and workers of theirs, by the world's own books. */
  held(name: string): { readonly endpoints: number; readonly groups: number; readonly workers: number } {
    const { store } = this.world.vast;
    const ids = [...store.endpoints.values()].filter(({ endpoint_name }) => endpoint_name === name).map(({ id }) => id);
    return {
      endpoints: ids.length,
      groups: [...store.groups.values()].filter(({ endpointId }) => ids.includes(endpointId)).length,
      workers: store.workers.size,
    };
  }

  routes(): string[] {
    return this.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  }
}
