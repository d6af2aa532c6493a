import type { RecordedEvent } from '@davit/contracts';
import { type RouteState, lifecycleProjection } from '@davit/domain';
import { createMemoryLog } from '@davit/event-log';
import { orchestratorControllers } from '@davit/orchestrator';
import { silentLogger, systemClock, systemIds, systemRandom, undiciHttpClient } from '@davit/ports';
import { type ProjectionDefinition, createProjectionRunner, inMemoryProjectionStores } from '@davit/projection';
import { type ControlLoop, type Controller, createControlLoop } from '@davit/reconcile';
import { routerRegistryControllers } from '@davit/router-registry';
import { DEFAULT_PROBER_SETTINGS, runtimeProberControllers } from '@davit/runtime-prober';
import { directBackend, skypilotAgentControllers } from '@davit/skypilot-agent';
import { IntentHandler } from '@davit/spec-api';
import { eventually } from '@davit/test-support';
import { MODEL } from './model.js';

const ALIAS = `default/${MODEL.servedName}`;
/** Quicker than by default, so that a run need not wait long for what takes its time. */
const SETTINGS = { ...DEFAULT_PROBER_SETTINGS, loadReadMs: 1_000, hangMs: 5_000, inferenceTimeoutMs: 5_000 };

/** The services that adopt a running server, over one log in memory, on the real clock and the real network. */
export class Davit {
  private readonly parts = createMemoryLog({ clock: systemClock, ids: systemIds });
  private readonly loops: readonly ControlLoop[];
  private readonly stores = inMemoryProjectionStores();
  // The fold narrows the documents that the store keeps by kind.
  private readonly projection = lifecycleProjection as unknown as ProjectionDefinition;

  constructor(private readonly workerKey: string) {
    const http = undiciHttpClient();
    const [clock, random] = [systemClock, systemRandom];
    const environment = { TINY_KEY: workerKey };
    this.loops = [
      this.service('orchestrator', orchestratorControllers({ installation: 'accept' })),
      this.service('skypilot-agent', skypilotAgentControllers({ backends: [directBackend] })),
      this.service(
        'runtime-prober',
        runtimeProberControllers({ http, clock, random, environment, settings: SETTINGS }),
      ),
      this.service('router-registry', routerRegistryControllers()),
    ];
  }

  start(): void {
    for (const loop of this.loops) void loop.start();
  }
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** Declares a deployment that adopts the server at this address. */
  async adopt(url: string): Promise<void> {
    const { log } = this.parts;
    const model = this.storeOf('orchestrator');
    const frontDoor = new IntentHandler(
      { log, model, clock: systemClock, ids: systemIds, random: systemRandom },
      'spec-api',
    );
    const answer = await frontDoor.apply(manifest(url), { channel: 'http' });
    if (answer.outcome === 'rejected') throw new Error(answer.detail);
  }

  /** Targets to which new requests go. */
  async targets(): Promise<RouteState['targets']> {
    const route = await this.storeOf('router-registry').get<RouteState>('route', ALIAS);
    return route?.document.targets ?? [];
  }

  /** How long it took until the route led to the server, or to nobody; undefined when it did not come to that. */
  async untilRouted(isRouted: boolean, withinMs: number): Promise<number | undefined> {
    const startedMs = performance.now();
    const isSo = async (): Promise<boolean> => (await this.targets()).length > 0 === isRouted;
    const came = await eventually(isSo, { timeoutMs: withinMs }).catch(() => false);
    return came ? performance.now() - startedMs : undefined;
  }

  /** What the prober has written of the server, oldest first. */
  async verdicts(): Promise<readonly RecordedEvent[]> {
    const events = await this.parts.log.read(0, Number.MAX_SAFE_INTEGER);
    return events.filter(({ type }) => type.startsWith('davit.runtime.became-'));
  }

  private storeOf(service: string) {
    return this.stores.store({ ...this.projection, name: service });
  }

  private service(name: string, controllers: readonly Controller[]): ControlLoop {
    const { log, leases, feed } = this.parts;
    const common = { log, clock: systemClock, logger: silentLogger };
    const definition = this.projection;
    const projection = createProjectionRunner({ ...common, feed, definition, store: this.storeOf(name) });
    const loop = { ...common, service: name, instanceId: `${name}-1`, leases, projection, controllers };
    return createControlLoop({ ...loop, random: systemRandom });
  }
}

const manifest = (url: string) => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: MODEL.servedName },
  spec: {
    model: { id: 'davit/tiny', servedName: MODEL.servedName },
    runtime: { engine: 'vllm' },
    compute: { mode: 'direct', endpoints: [url] },
    scaling: { replicas: 1 },
    secrets: [{ name: 'VLLM_API_KEY', from: { env: 'TINY_KEY' } }],
  },
});
