import { readFileSync } from 'node:fs';
import type { DavitClient } from '@davit/cli';
import type { RecordedEvent, ReplicaView, RouteView } from '@davit/contracts';
import { parse } from 'yaml';
import { readLog } from './log-reader.js';
import { davit } from './cli.js';
import { waitFor } from './wait-for.js';
import type { WorldClient } from './world-client.js';

export interface ScarcityParts {
  readonly client: DavitClient;
  readonly world: WorldClient;
  /** Address of the front door, for the commands that are run. */
  readonly url: string;
  readonly manifestFile: string;
  readonly tell: (step: string) => void;
  /** What a command printed. */
  readonly show: (text: string) => void;
  readonly patienceMs: number;
}

export interface ScarcityOutcome {
  /** The wait as orchestrator told it, while no rung had stock. */
  waited: { readonly reason: string; readonly since: string; readonly retryAt: string | null } | null;
  /** Place in the ladder of what was taken, from 0. */
  rungTaken: number | null;
  explained: boolean;
  gone: boolean;
}

/** Two cards that nothing else in the demo rents. */
const LADDER = ['L4', 'A40'] as const;
const NAME = 'qwen3-8b-scarce';
const TENANT = 'default';
const KEY = `${TENANT}/${NAME}`;
const PLENTY = 12;

type Placed = Extract<RecordedEvent, { type: 'davit.replica.placed' }>;

/** RunPod has neither card of a ladder; then the second one comes back, and is taken. Told as orchestrator tells it. */
export class Scarcity {
  readonly outcome: ScarcityOutcome = { waited: null, rungTaken: null, explained: false, gone: false };

  constructor(private readonly parts: ScarcityParts) {}

  async run(): Promise<ScarcityOutcome> {
    await this.declareWithoutStock();
    await this.seeItWait();
    await this.stockOnTheSecondRung();
    await this.explain();
    await this.remove();
    return this.outcome;
  }

  private async declareWithoutStock(): Promise<void> {
    for (const gpu of LADDER) await this.parts.world.setStock(gpu, 0);
    const answer = await this.parts.client.apply({
      deployment: this.manifest(),
      idempotencyKey: `scarce-${Date.now()}`,
    });
    if (answer.outcome !== 'accepted') throw new Error(`refused: ${JSON.stringify(answer)}`);
    this.parts.tell(`RunPod has no ${LADDER.join(' and no ')}; ${NAME} asks for one of the two, in this order`);
  }

  private async seeItWait(): Promise<void> {
    const { wait } = await this.wait('the replica waits for stock', async () => {
      const replica = await this.replica();
      return replica?.wait?.reason === 'capacity' ? replica : undefined;
    });
    if (!wait) throw new Error('a replica that waits says nothing of it');
    this.outcome.waited = { reason: wait.next, since: wait.since, retryAt: wait.deadline };
    const [next = '', ...rungs] = wait.next.split(/(?<=looked at again): |; (?=runpod )/);
    this.parts.tell(`it waits, and has not failed: ${next}`);
    for (const rung of rungs) this.parts.tell(`  ${rung}`);
    this.parts.tell(`  since ${wait.since}, looked at again at ${wait.deadline ?? 'no time'}`);
  }

  private async stockOnTheSecondRung(): Promise<void> {
    const [, second] = LADDER;
    await this.parts.world.setStock(second, PLENTY);
    this.parts.tell(`stock of ${second} is back; there is still no ${LADDER[0]}`);
    const route = await this.wait('a replica of the second rung serves', async () => {
      const found = await this.route();
      return found?.targets.length === 1 ? found : undefined;
    });
    const placed = (await readLog(this.parts.client)).findLast(
      (event): event is Placed =>
        event.type === 'davit.replica.placed' && event.data.replicaId === route.targets[0]?.replica,
    );
    this.outcome.rungTaken = placed?.data.rung ?? null;
    const price = placed?.data.price;
    const paid = price
      ? `${price.amount} ${price.currency} an hour, ${price.kind} by ${price.source}`
      : 'no price known';
    this.parts.tell(
      `rung ${placed?.data.rung ?? 'unknown'}, ${second}, was taken (the first is rung 0; ${paid}), and serves`,
    );
  }

  private async explain(): Promise<void> {
    const replica = await this.replica();
    if (!replica) throw new Error(`${KEY} has no replica`);
    const { exitCode, stdout, stderr } = await davit(this.parts.url, ['explain', 'replica', replica.id]);
    if (exitCode !== 0) throw new Error(`davit explain ended with ${String(exitCode)}: ${stderr}`);
    this.parts.tell(`$ davit explain replica ${replica.id}`);
    this.parts.show(stdout);
    this.outcome.explained = stdout.includes(LADDER[1]);
  }

  private async remove(): Promise<void> {
    await this.parts.client.onDeployment('delete', { name: NAME, tenant: TENANT });
    await this.wait(`${NAME} is deleted`, async () =>
      (await this.parts.client.deployment(TENANT, NAME))?.status === 'deleted' ? true : undefined,
    );
    for (const gpu of LADDER) await this.parts.world.setStock(gpu, PLENTY);
    this.outcome.gone = true;
    this.parts.tell(`${NAME} is deleted and proven gone`);
  }

  /** The manifest of the demo with another name, one replica and a ladder of these cards. */
  private manifest(): object {
    // Written in this repository: the fields that are changed are there.
    const written = parse(readFileSync(this.parts.manifestFile, 'utf8')) as {
      metadata: object;
      spec: { model: object; compute: object };
    };
    const placements = LADDER.map((card) => ({ cloud: 'runpod', accelerator: `${card}:1` }));
    return {
      ...written,
      metadata: { ...written.metadata, name: NAME },
      spec: {
        ...written.spec,
        model: { ...written.spec.model, servedName: NAME },
        compute: { ...written.spec.compute, placements },
        scaling: { replicas: 1 },
      },
    };
  }

  private async replica(): Promise<ReplicaView | undefined> {
    return (await this.parts.client.replicas(KEY)).find(({ state }) => state !== 'deleted');
  }
  private async route(): Promise<RouteView | undefined> {
    return (await this.parts.client.routes()).find(({ alias }) => alias === KEY);
  }
  private wait<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
    return waitFor(what, look, { timeoutMs: this.parts.patienceMs, everyMs: 100 });
  }
}
