import type { DavitClient } from '@davit/cli';
import type { RouteView } from '@davit/contracts';
import { davit } from './cli.js';
import { readLog } from './log-reader.js';
import { waitFor } from './wait-for.js';
import type { WorldClient } from './world-client.js';

export interface HangParts {
  readonly client: DavitClient;
  readonly world: WorldClient;
  /** Address of the front door, for the commands that are run. */
  readonly url: string;
  /** Alias whose first target is to hang. */
  readonly alias: string;
  /** So soon the route has to be gone; ms. */
  readonly boundMs: number;
  readonly tell: (step: string) => void;
  /** What a command printed. */
  readonly show: (text: string) => void;
  readonly patienceMs: number;
}

export interface HangOutcome {
  /** From the first request that hung to the withdrawal of the route, by the log's time; null while it is there. */
  withdrawnAfterMs: number | null;
  /** `davit explain` cited health, which is fine, and the counters, which stand still. */
  bothCited: boolean;
  replaced: boolean;
}

/** An engine that hangs while its health goes on to answer 200: requests are inside, and no counter moves. */
export class Hang {
  readonly outcome: HangOutcome = { withdrawnAfterMs: null, bothCited: false, replaced: false };

  constructor(private readonly parts: HangParts) {}

  async run(): Promise<HangOutcome> {
    const { tell, show, world, url, boundMs } = this.parts;
    const route = await this.wait('there is a route to hang', () => this.route());
    const [victim] = route.targets;
    const machine = (await world.running()).find(({ address }) => victim && new URL(victim.url).host === address);
    if (!victim || !machine) throw new Error('no machine behind the route');
    const id = victim.replica;
    await world.hurt(machine.id, { kind: 'hang' });
    const beganMs = Date.now();
    const given = new AbortController();
    for (let request = 0; request < 3; request++) void ask(victim.url, victim.model, given.signal);
    const health = await fetch(new URL('/health', victim.url));
    tell(`the engine of ${id} hangs with 3 requests inside; its /health still answers ${health.status}`);
    try {
      const withdrawn = await this.wait('the hung engine loses its route', async () =>
        (await readLog(this.parts.client)).find(
          (event) => event.type === 'davit.route.withdrawn' && event.data.replica === id,
        ),
      );
      this.outcome.withdrawnAfterMs = Date.parse(withdrawn.time) - beganMs;
    } finally {
      given.abort();
    }
    tell(
      `its route is withdrawn after ${(this.outcome.withdrawnAfterMs / 1_000).toFixed(1)} s (at most ${boundMs / 1_000} s)`,
    );
    const { stdout, stderr, exitCode } = await davit(url, ['explain', 'replica', id]);
    if (exitCode !== 0) throw new Error(`davit explain ended with ${String(exitCode)}: ${stderr}`);
    tell(`$ davit explain replica ${id}`);
    show(stdout);
    this.outcome.bothCited =
      /hung/.test(stdout) && /health.*\b200\b/i.test(stdout) && /(frozen|stand still|no counter)/i.test(stdout);
    await this.wait('another incarnation takes its place', async () => {
      const present = (await this.route())?.targets ?? [];
      const isReplaced = present.length === route.targets.length && present.every(({ replica }) => replica !== id);
      const left = (await this.parts.client.replicas(victim.deployment)).filter(({ state }) => state !== 'deleted');
      return isReplaced && left.length === present.length ? true : undefined;
    });
    this.outcome.replaced = true;
    tell('another incarnation serves in its place; the hung one is proven gone');
    return this.outcome;
  }

  private async route(): Promise<RouteView | undefined> {
    return (await this.parts.client.routes()).find(({ alias }) => alias === this.parts.alias);
  }

  private wait<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
    return waitFor(what, look, { timeoutMs: this.parts.patienceMs, everyMs: 100 });
  }
}

/** A request that nobody will answer. */
async function ask(url: string, model: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 64 });
  const headers = { 'content-type': 'application/json' };
  await fetch(new URL('/v1/chat/completions', url), { method: 'POST', headers, body, signal }).catch(() => undefined);
}
