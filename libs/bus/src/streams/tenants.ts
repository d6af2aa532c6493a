import { busStreams, subjects } from '@davit/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  headers,
  nanos,
} from 'nats';
import type { Bus } from '../connection.js';
import { isStreamMissing } from './ensure.js';

const SEVEN_DAYS_MS = 7 * 24 * 3_600_000;
const ANSWER_TIMEOUT_MS = 2_000;
const POSITION = 'Davit-Position';

/** An event as it stands in the stream. */
export interface TenantEvent {
  readonly tenant: string;
  readonly type: string;
  readonly id: string;
  readonly position: number;
  readonly text: string;
}

/** How far the stream is: its last sequence, and the position of the log that stands there. */
export interface TenantsEnd {
  readonly sequence: number;
  readonly position: number | undefined;
}

/**
 * Stream `TENANTS` on the bus: the events of each tenant under subjects of its own. Each message says which position of the log it
 * is, so the end of the stream tells how far it was filled, and nothing else has to be kept.
 */
export class TenantsStream {
  private readonly inboxes = new Set<string>();

  constructor(private readonly bus: Bus) {}

  /** Makes the stream where it is missing, and tells where it ends. */
  async open(): Promise<TenantsEnd> {
    this.inboxes.clear();
    const manager = await this.manager();
    const sequence = await this.ensure(manager);
    if (sequence === 0) return { sequence, position: undefined };
    const message = await manager.streams.getMessage(busStreams.tenants, { seq: sequence });
    return { sequence, position: Number(message.header.get(POSITION)) };
  }

  /** Drops everything: the log is not the one that it was filled from. */
  async clear(): Promise<void> {
    await (await this.manager()).streams.delete(busStreams.tenants);
  }

  /**
   * Adds events behind the last sequence, each exactly there.
   * @throws when another instance was faster or the broker does not answer: then look again where it ends
   */
  async add(events: readonly TenantEvent[], sequence: number): Promise<void> {
    const client = this.bus.connection.jetstream({ timeout: ANSWER_TIMEOUT_MS });
    await Promise.all(
      events.map(({ tenant, type, id, position, text }, index) => {
        const head = headers();
        head.set('Content-Type', 'application/cloudevents+json');
        head.set(POSITION, String(position));
        const expect = { streamName: busStreams.tenants, lastSequence: sequence + index };
        return client.publish(subjects.tenantLog(tenant, type), text, { msgID: id, expect, headers: head });
      }),
    );
  }

  /** A consumer named after the tenant, from which its subscribers take what came while they were away. */
  async ensureInbox(tenant: string): Promise<void> {
    if (this.inboxes.has(tenant)) return;
    const manager = await this.manager();
    await manager.consumers.add(busStreams.tenants, {
      durable_name: tenant,
      filter_subject: `davit.tenant.${tenant}.log.>`,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
    this.inboxes.add(tenant);
  }

  private async ensure(manager: JetStreamManager): Promise<number> {
    try {
      return (await manager.streams.info(busStreams.tenants)).state.last_seq;
    } catch (error) {
      if (!isStreamMissing(error)) throw error;
    }
    const made = await manager.streams.add({
      name: busStreams.tenants,
      subjects: [subjects.allTenantLogs],
      description: 'Events of each tenant, for its own subscribers. Only spec-api may write.',
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      storage: StorageType.File,
      max_age: nanos(SEVEN_DAYS_MS),
      deny_delete: true,
    });
    return made.state.last_seq;
  }

  private manager(): Promise<JetStreamManager> {
    return this.bus.connection.jetstreamManager({ checkAPI: false, timeout: ANSWER_TIMEOUT_MS });
  }
}
