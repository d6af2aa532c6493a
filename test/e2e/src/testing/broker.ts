import type { RecordedEvent } from '@davit/contracts';
import { readLog } from '../log-reader.js';
import { waitFor } from '../wait-for.js';
import { LogWatch } from './log-watch.js';
import { type Mirrored, mirroredUpTo, readMirror } from './mirror.js';
import { type Rig, urlOf } from './rig.js';

/** Takes the broker away, with all it holds, right after certain launches were attempted. */
export class BrokerThief {
  private readonly recoveries: Promise<number>[] = [];
  private launches = 0;

  private constructor(
    private readonly rig: Rig,
    private readonly atLaunches: readonly number[],
  ) {}

  static async start(rig: Rig, atLaunches: readonly number[]): Promise<{ stop(): Promise<readonly number[]> }> {
    const thief = new BrokerThief(rig, atLaunches);
    const watch = await LogWatch.open(rig.system.natsUrl, (event) => thief.onEvent(event));
    return {
      /** Milliseconds from each broker that answers again to something new in log and mirror. */
      stop: async () => {
        await watch.close();
        return Promise.all(thief.recoveries);
      },
    };
  }

  private onEvent({ type }: RecordedEvent): void {
    if (type !== 'davit.resource.launch-attempted') return;
    this.launches += 1;
    if (this.atLaunches.includes(this.launches)) this.recoveries.push(this.takeBroker());
  }

  private async takeBroker(): Promise<number> {
    const { system, tell } = this.rig;
    tell('broker killed with -9 and its store removed');
    await system.wipeNats();
    const backAtMs = Date.now();
    const before = await head(this.rig);
    await waitFor(
      'log and mirror go on after the broker is back',
      async () => {
        const mirrored = await mirroredUpTo(system.natsUrl).catch(() => undefined);
        return mirrored !== undefined && mirrored > before ? true : undefined;
      },
      { timeoutMs: 60_000, everyMs: 50 },
    );
    tell(`log and mirror go on, ${Date.now() - backAtMs} ms after the broker was back`);
    return Date.now() - backAtMs;
  }
}

async function head({ system }: Rig): Promise<number> {
  const response = await fetch(new URL('/v1/events?limit=1', urlOf(system, 'spec-api')));
  const answer = (await response.json()) as { head: number };
  return answer.head;
}

/** Mirror and log, once the mirror has all that the log has. */
export function settledMirror({
  client,
  system,
}: Rig): Promise<{ readonly mirror: readonly Mirrored[]; readonly log: readonly RecordedEvent[] }> {
  return waitFor(
    'the mirror has all that the log has',
    async () => {
      const log = await readLog(client);
      const mirror = await readMirror(system.natsUrl);
      return mirror.at(-1)?.sequence === log.at(-1)?.position ? { mirror, log } : undefined;
    },
    { timeoutMs: 30_000, everyMs: 200 },
  );
}
