import { readFileSync } from 'node:fs';
import { CommandError, type DavitClient, exitCodes } from '@davit/cli';
import {
  type DeploymentAnswer,
  type DeploymentView,
  type ReplicaView,
  type RouteView,
  deploymentAnswer,
  problemDocument,
  subjects,
} from '@davit/contracts';
import { JSONCodec, connect } from 'nats';
import { parse } from 'yaml';
import { waitFor } from './wait-for.js';
import type { WorldClient } from './world-client.js';

/** A manifest as a user writes it; only what the scenario changes is named. */
export interface Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly model: object;
    readonly runtime: { readonly args: readonly string[] };
    readonly scaling: { readonly replicas: number };
  };
}

export interface ScenarioParts {
  readonly client: DavitClient;
  readonly world: WorldClient;
  readonly natsUrl: string;
  readonly manifestFile: string;
  /** Name of the deployment and of its route; those of the manifest unless said. */
  readonly name?: string;
  /** Each step as it happens. */
  readonly tell: (step: string) => void;
  /** Bound on each wait. */
  readonly patienceMs: number;
  /** What else happens to it before it is deleted. */
  readonly interlude?: () => Promise<unknown>;
}

export interface ScenarioOutcome {
  replicasReady: number;
  requestAnswered: boolean;
  healed: boolean;
  updated: boolean;
  scaled: boolean;
  deleted: boolean;
}

const LOOK_MS = 100;

/** The main job of design §5, from a specification file to proven absence, through the doors that users have. */
export class Scenario {
  readonly outcome: ScenarioOutcome = {
    replicasReady: 0,
    requestAnswered: false,
    healed: false,
    updated: false,
    scaled: false,
    deleted: false,
  };
  private readonly manifest: Manifest;
  private readonly tenant = 'default';

  constructor(private readonly parts: ScenarioParts) {
    const written = parse(readFileSync(parts.manifestFile, 'utf8')) as Manifest;
    this.manifest = parts.name === undefined ? written : named(written, parts.name);
  }

  async run(): Promise<ScenarioOutcome> {
    await this.deploy();
    await this.chat();
    await this.heal();
    await this.update();
    await this.scale();
    await this.parts.interlude?.();
    await this.remove();
    return this.outcome;
  }

  async deploy(): Promise<void> {
    const answer = await this.apply(this.manifest);
    this.tell(`intent ${answer.intentId} accepted as revision ${answer.revision} (position ${answer.position})`);
    const route = await this.converged(this.manifest.spec.scaling.replicas, answer.generation);
    this.outcome.replicasReady = route.targets.length;
    this.tell(`${route.targets.length} replicas serve, route ${route.model} snapshot ${route.snapshot}`);
    for (const target of route.targets) this.tell(`  ${shortId(target.replica)}  ${target.url}`);
  }

  async chat(): Promise<void> {
    const text = await this.wait('a chat request is answered through a route', async () => {
      const target = (await this.route())?.targets[0];
      if (!target) return undefined;
      return chatOnce(target.url, target.model).catch(() => undefined);
    });
    this.outcome.requestAnswered = true;
    this.tell(`a chat request through the route was answered: "${text.slice(0, 60)}"`);
  }

  async heal(): Promise<void> {
    const victim = await this.wait('there is a route to kill', async () => (await this.route())?.targets[0]);
    const { host } = new URL(victim.url);
    const machine = (await this.parts.world.running()).find(({ address }) => address === host);
    if (!machine) throw new Error(`no machine behind ${victim.url}`);
    await this.parts.world.kill(machine.id);
    this.tell(`machine ${machine.id} of ${shortId(victim.replica)} killed at the provider`);
    await this.wait('the dead replica loses its route', async () => {
      const targets = (await this.route())?.targets ?? [];
      return targets.some(({ replica }) => replica === victim.replica) ? undefined : true;
    });
    this.tell(`route to ${shortId(victim.replica)} withdrawn`);
    const route = await this.converged(this.manifest.spec.scaling.replicas);
    this.outcome.healed = true;
    const routed = route.targets.map(({ replica }) => shortId(replica)).join(', ');
    this.tell(`healed with a new incarnation: ${routed}; the old one is proven gone`);
  }

  async update(): Promise<void> {
    const { runtime } = this.manifest.spec;
    const args = runtime.args.map((arg) => (arg === '16384' ? '32768' : arg));
    const changed = { ...this.manifest, spec: { ...this.manifest.spec, runtime: { ...runtime, args } } };
    const answer = await this.apply(changed);
    this.tell(`changed --max-model-len: accepted as revision ${answer.revision}`);
    const route = await this.converged(this.manifest.spec.scaling.replicas, answer.generation);
    const stale = route.targets.filter(({ revision }) => revision !== answer.revision);
    if (stale.length > 0)
      throw new Error(`targets of an old revision remain: ${stale.map(({ replica }) => replica).join(', ')}`);
    this.outcome.updated = true;
    this.tell(`revision ${answer.revision} serves; every replica of the old one is proven gone`);
    this.latest = changed;
  }

  private latest: Manifest | undefined;

  /** One more replica, asked for on the bus as another service would. */
  async scale(): Promise<void> {
    const present = this.latest ?? this.manifest;
    const replicas = present.spec.scaling.replicas + 1;
    const wanted = { ...present, spec: { ...present.spec, scaling: { replicas } } };
    const answer = await this.applyOverBus(wanted);
    if (answer.outcome !== 'accepted') throw new Error(`the bus answered ${JSON.stringify(answer)}`);
    this.tell(`intent over NATS for replica ${replicas} accepted (position ${answer.position})`);
    const route = await this.converged(replicas, answer.generation);
    this.outcome.scaled = true;
    this.tell(`${route.targets.length} replicas serve, snapshot ${route.snapshot}`);
  }

  async remove(): Promise<void> {
    const answer = await this.patiently('the deletion is accepted', () =>
      this.parts.client.onDeployment('delete', { name: this.name, tenant: this.tenant }),
    );
    if (answer.outcome !== 'accepted') throw new Error(`deletion refused: ${answer.detail}`);
    this.tell('deletion accepted: routes, drain, delete, proof of absence');
    await this.wait('the deployment is deleted', async () =>
      (await this.view())?.status === 'deleted' ? true : undefined,
    );
    const left = await this.parts.world.running();
    this.outcome.deleted = true;
    this.tell(`${this.name} is deleted; the provider's own ledger shows ${left.length} machines running`);
  }

  private get name(): string {
    return this.manifest.metadata.name;
  }
  private get key(): string {
    return `${this.tenant}/${this.name}`;
  }
  private tell(step: string): void {
    this.parts.tell(step);
  }
  private view(): Promise<DeploymentView | undefined> {
    return this.parts.client.deployment(this.tenant, this.name);
  }
  private async route(): Promise<RouteView | undefined> {
    return (await this.parts.client.routes()).find(({ alias }) => alias === this.key);
  }
  private async present(): Promise<readonly ReplicaView[]> {
    return (await this.parts.client.replicas(this.key)).filter(({ state }) => state !== 'deleted');
  }

  private async apply(manifest: Manifest): Promise<Extract<DeploymentAnswer, { outcome: 'accepted' }>> {
    const idempotencyKey = `demo-${JSON.stringify(manifest).length}-${Math.random().toString(36).slice(2)}`;
    const answer = await this.patiently('the intent is accepted', () =>
      this.parts.client.apply({ deployment: manifest, idempotencyKey }),
    );
    if (answer.outcome !== 'accepted') throw new Error(`refused: ${JSON.stringify(answer)}`);
    return answer;
  }

  private async applyOverBus(deployment: Manifest): Promise<DeploymentAnswer> {
    const connection = await connect({
      servers: this.parts.natsUrl,
      reconnect: true,
      maxReconnectAttempts: -1,
      waitOnFirstConnect: true,
    });
    const codec = JSONCodec();
    const body = codec.encode({ deployment, idempotencyKey: `bus-${Math.random().toString(36).slice(2)}` });
    try {
      // An unanswered request may have been accepted: the same key makes asking again harmless.
      return await this.patiently('the bus answers', async () => {
        const reply = await connection.request(subjects.intent('deployment', 'apply'), body, { timeout: 5_000 });
        return deploymentAnswer.parse(codec.decode(reply.data));
      });
    } finally {
      await connection.close();
    }
  }

  /** Waits until exactly `replicas` targets are routed and nothing else of the deployment is left. */
  private async converged(replicas: number, generation = 0): Promise<RouteView> {
    return this.wait(`${replicas} replicas serve and nothing else is left`, async () => {
      const [view, route, present] = await Promise.all([this.view(), this.route(), this.present()]);
      if (!view || view.generation < generation || view.activeRevision !== view.revision) return undefined;
      return route?.targets.length === replicas && present.length === replicas ? route : undefined;
    });
  }

  private wait<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
    return waitFor(what, () => look().catch(ignoreUnreachable), { timeoutMs: this.parts.patienceMs, everyMs: LOOK_MS });
  }

  /** Repeats a harmless request while the front door is away for a moment. */
  private patiently<Value>(what: string, ask: () => Promise<Value>): Promise<Value> {
    return this.wait(what, ask);
  }
}

/** Another deployment of the same kind; its model is served, and routed, under its own name. */
const named = ({ metadata, spec, ...rest }: Manifest, name: string): Manifest => ({
  ...rest,
  metadata: { ...metadata, name },
  spec: { ...spec, model: { ...spec.model, servedName: name } },
});

/** The front door may be restarting; what is asked for goes on, so looking again is right. */
function ignoreUnreachable(error: unknown): undefined {
  if (error instanceof CommandError && error.exitCode === exitCodes.failure) {
    const problem = problemDocument.safeParse(error.details['problem']);
    // A service that is away or starting is no answer; one that failed inside is a defect.
    if (!problem.success || problem.data.status !== 500) return undefined;
  }
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  if (/fetch failed|TimeoutError|aborted|TIMEOUT|503|NoResponders/i.test(text)) return undefined;
  throw error;
}

const shortId = (id: string): string => id.slice(id.indexOf('/') + 1);

async function chatOnce(url: string, model: string): Promise<string> {
  const response = await fetch(new URL('/v1/chat/completions', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 16 }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`chat answered ${response.status}`);
  const body = (await response.json()) as { choices: readonly { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? '';
}
