import { type Bus, type TenantEvent, TenantsStream } from '@davit/bus';
import type { RecordedEvent } from '@davit/contracts';
import { ownerOfEvent } from '@davit/domain';
import { type EventLog, type Leases, Seniority } from '@davit/event-log';
import { type Clock, type Ids, type Logger, sleep } from '@davit/ports';
import type { EventTail } from '../events/event-tail.js';

export interface TenantMirrorPorts {
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'head'>;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Events of the log that a new stream begins with. */
const REFILL_DEPTH = 100_000;
const RETRY_MS = 500;

/**
 * Tells each tenant on the bus what happens to its own things, in the order of the log and each event once. What belongs to no
 * single tenant is not told here. One instance works while the others watch; that two work at once does no harm, since the broker
 * takes each place of the stream once.
 */
export class TenantMirror {
  private readonly stream: TenantsStream;
  private readonly seniority: Seniority;
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly ports: TenantMirrorPorts,
    private readonly tail: EventTail,
  ) {
    this.stream = new TenantsStream(ports.bus);
    this.seniority = new Seniority('TENANTS', ports.ids.uuid(), ports.leases, ports.clock);
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
    await this.seniority.resign().catch(() => undefined);
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    const { clock, logger } = this.ports;
    while (!signal.aborted) {
      try {
        if (await this.seniority.isLeading()) await this.lead(signal);
        else await sleep(clock, this.seniority.watchMs, signal);
      } catch (error) {
        logger.warn({ err: error }, 'events of tenants could not be told on the bus; trying again');
        await sleep(clock, RETRY_MS, signal);
      }
    }
  }

  private async lead(signal: AbortSignal): Promise<void> {
    const head = await this.ports.log.head();
    let { sequence, position } = await this.stream.open();
    if (position !== undefined && position > head) {
      await this.stream.clear();
      ({ sequence, position } = await this.stream.open());
    }
    const reader = this.tail.reader(position ?? Math.max(0, head - REFILL_DEPTH), signal);
    while (!signal.aborted && (await this.seniority.isLeading())) {
      const events = (await reader.next()).flatMap(told);
      await this.stream.add(events, sequence);
      sequence += events.length;
      for (const { tenant } of events) await this.stream.ensureInbox(tenant);
    }
  }
}

/** An event as its tenant hears it. Who has which key is told over HTTP alone, to administrators. */
function told(event: RecordedEvent): readonly TenantEvent[] {
  const { type, id, position } = event;
  const owner = type.startsWith('davit.access.') ? 'fleet' : ownerOfEvent(event);
  if (owner === 'fleet') return [];
  return owner.map((tenant) => ({ tenant, type, id, position, text: JSON.stringify(event) }));
}
