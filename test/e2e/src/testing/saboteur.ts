import type { RecordedEvent } from '@davit/contracts';
import { type Random, seededRandom } from '@davit/ports';
import { LogWatch } from './log-watch.js';
import { type Rig, SERVICES, type Service } from './rig.js';

/** A moment that the log tells: the n-th event of a type, or of all. */
interface Moment {
  readonly service: Service;
  readonly after: string;
  readonly nth: number;
  readonly delayMs: number;
}

/** Who is in the middle of something right after these events, with how often they occur in the main job at least. */
const DELICATE: readonly (readonly [Service, string, number])[] = [
  ['spec-api', 'davit.deployment.declared', 2],
  ['orchestrator', 'davit.replica.requested', 4],
  ['orchestrator', 'davit.replica.delete-requested', 4],
  ['capacity-advisor', 'davit.resource.discovered', 4],
  ['skypilot-agent', 'davit.resource.launch-attempted', 4],
  ['skypilot-agent', 'davit.resource.delete-attempted', 4],
  ['runtime-prober', 'davit.runtime.probing-started', 4],
  ['router-registry', 'davit.runtime.became-ready', 4],
];
const ANY = 'any event';
/** The main job leaves some 200 events. */
const EVENTS = 150;
/** Deaths at moments of no meaning, beside those of the one service that has no part in this job. */
const OTHERS = 3;
const MAX_DELAY_MS = 40;

/** Kills every service with -9, at moments that a seed decides; the supervisor starts each again. */
export class Saboteur {
  /** What was killed, in order. */
  readonly kills: Service[] = [];
  private readonly counts = new Map<string, number>();
  private open: readonly Moment[];
  private watch: LogWatch | undefined;

  constructor(
    private readonly rig: Rig,
    seed: number,
  ) {
    this.open = plan(seededRandom(seed));
    rig.tell(
      `seed ${seed}: kill ${this.open.map(({ service, after, nth }) => `${service} after ${after} ${nth}`).join(', ')}`,
    );
  }

  async start(): Promise<void> {
    this.watch = await LogWatch.open(this.rig.system.natsUrl, (event) => this.onEvent(event));
  }
  async stop(): Promise<void> {
    await this.watch?.close();
  }

  private onEvent(event: RecordedEvent): void {
    for (const name of [event.type, ANY]) {
      const nth = (this.counts.get(name) ?? 0) + 1;
      this.counts.set(name, nth);
      const due = this.open.filter((moment) => moment.after === name && moment.nth === nth);
      this.open = this.open.filter((moment) => !due.includes(moment));
      for (const moment of due) setTimeout(() => this.kill(moment), moment.delayMs);
    }
  }

  private kill({ service, after, nth, delayMs }: Moment): void {
    const running = this.rig.system.pidOf(service) !== undefined;
    this.rig.tell(`kill -9 ${service}, ${delayMs} ms after ${after} ${nth}${running ? '' : ' (it is down already)'}`);
    if (running) this.kills.push(service);
    this.rig.system.signalService(service, 'SIGKILL');
  }
}

function plan(random: Random): readonly Moment[] {
  const upTo = (count: number): number => Math.floor(random.next() * count);
  const delicate = DELICATE.map(([service, after, times]) => ({
    service,
    after,
    nth: 1 + upTo(times),
    delayMs: upTo(MAX_DELAY_MS),
  }));
  const others = Array.from({ length: OTHERS }, () => SERVICES[upTo(SERVICES.length)] ?? 'spec-api');
  const anywhere = (['vast-serverless', ...others] as const).map((service) => ({
    service,
    after: ANY,
    nth: 1 + upTo(EVENTS),
    delayMs: upTo(MAX_DELAY_MS),
  }));
  return [...delicate, ...anywhere];
}
