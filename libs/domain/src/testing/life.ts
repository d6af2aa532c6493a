import { type EventData, type EventType, type NewEvent, stream } from '@davit/contracts';
import { externalKeyOf, replicaIdOf } from '../identity.js';
import { orphanKeyOf } from '../lifecycle/evolve-orphan.js';
import type { History } from './history.js';

type Fact = Extract<EventType, `davit.resource.${string}`> extends `davit.resource.${infer Name}` ? Name : never;

const URL = 'http://127.0.0.1:9000';

/** One incarnation in a hand-made history, told event by event, a second apart, in whatever order a test needs. */
export class Life {
  readonly id: string;
  readonly externalKey: string;
  private readonly identity;

  constructor(
    readonly history: History,
    { deployment = 'default/qwen', revision = 1, ordinal = 0, incarnation = 1 } = {},
  ) {
    this.identity = { deployment, revision, ordinal, incarnation };
    this.id = replicaIdOf(this.identity);
    this.externalKey = externalKeyOf(this.identity, 'test');
  }

  requested(): this {
    const reason = 'wanted';
    const made = { mode: 'elastic', adapter: 'skypilot', servedName: 'qwen', reason, replaces: null } as const;
    return this.replica('requested', { ...this.identity, externalKey: this.externalKey, ...made });
  }
  /** Any decision about it. */
  replica<Name extends ReplicaEventName>(
    name: Name,
    data: Omit<EventData<`davit.replica.${Name}`>, 'replicaId'>,
  ): this {
    return this.tell(stream.replica(this.id), `davit.replica.${name}`, { replicaId: this.id, ...data });
  }
  /** Any fact about its resource. */
  fact<Name extends Fact>(name: Name, data: Omit<EventData<`davit.resource.${Name}`>, keyof Owner>): this {
    return this.tell(stream.resource(this.externalKey), `davit.resource.${name}`, { ...this.owner, ...data });
  }
  discovered(outcome: 'present' | 'absent' | 'unknown' = 'absent', attempt = 1): this {
    return this.fact('discovered', { attempt, outcome, detail: '' });
  }
  launchRequested(deadlineMs = 900_000): this {
    const deadlineAt = new Date(this.history.nowMs + deadlineMs).toISOString();
    return this.replica('launch-requested', { attempt: 1, deadlineAt });
  }
  launched(): this {
    this.fact('launch-attempted', { attempt: 1, placement: null, leaseEpoch: 1 });
    return this.fact('launch-accepted', { attempt: 1, handle: null, resolvedBy: 'reply' });
  }
  seen(phase: 'up' | 'unknown' = 'up'): this {
    return this.fact('observed', { phase, url: URL, providerId: null, price: null, class: null, detail: '' });
  }
  absent(): this {
    return this.fact('absence-observed', { by: 'key', inventoryRows: null });
  }
  confirmed(): this {
    const at = new Date(this.history.nowMs).toISOString();
    return this.fact('absence-confirmed', { observedAt: [at, at], inventoryRows: 0 });
  }
  proven(): this {
    const evidence = { healthMs: 1, modelsMs: 1, inferenceMs: null };
    const data = { replicaId: this.id, url: URL, servedModel: 'qwen', evidence };
    return this.tell(stream.runtime(this.id), 'davit.runtime.became-ready', data);
  }
  unready(): this {
    const data = { replicaId: this.id, url: URL, reason: 'timeout', detail: '', consecutiveFailures: 3 };
    return this.tell(stream.runtime(this.id), 'davit.runtime.became-unready', data);
  }
  ready(): this {
    return this.replica('ready', { url: URL, servedModel: 'qwen' });
  }
  failed(hadServed = true, failureClass: EventData<'davit.replica.failed'>['class'] = 'transient'): this {
    return this.replica('failed', { class: failureClass, reason: 'ill', detail: '', placement: null, hadServed });
  }
  lost(): this {
    const data = { replicaId: this.id, deployment: this.identity.deployment, reason: 'ill' };
    return this.tell('fleet/losses', 'davit.fleet.replica-lost', data);
  }
  registered(): this {
    const { deployment, revision } = this.identity;
    const target = { replica: this.id, deployment, revision, url: URL, model: 'qwen' };
    return this.tell(stream.route(deployment), 'davit.route.registered', { alias: deployment, snapshot: 1, target });
  }
  withdrawn(): this {
    const { deployment } = this.identity;
    const data = { alias: deployment, snapshot: 2, replica: this.id, reason: '' };
    return this.tell(stream.route(deployment), 'davit.route.withdrawn', data);
  }
  /** From nothing to serving, by the rules. */
  serves(): this {
    this.requested().replica('discovery-requested', { attempt: 1 }).discovered().launchRequested();
    return this.launched().seen().proven().ready();
  }
  deleteRequested(): this {
    return this.replica('delete-requested', { reason: 'not wanted any more' });
  }
  /** From whatever it was to proven gone, by the rules. */
  goes(): this {
    this.deleteRequested().fact('delete-attempted', { attempt: 1, leaseEpoch: 1 });
    this.fact('delete-accepted', { attempt: 1, detail: '' }).absent().absent().confirmed();
    return this.replica('deleted', { reason: '' });
  }

  private get owner(): Owner {
    return { externalKey: this.externalKey, replicaId: this.id, adapter: 'skypilot' };
  }
  private tell(streamName: string, type: string, data: object): this {
    // The log checks each event against the catalogue; the parts above say which data goes with which type.
    this.history.append(streamName, { type, data } as NewEvent).later(1_000);
    return this;
  }
}

type Owner = { readonly externalKey: string; readonly replicaId: string; readonly adapter: string };
type ReplicaEventName =
  Extract<EventType, `davit.replica.${string}`> extends `davit.replica.${infer Name}` ? Name : never;

/** Something in an inventory that no live replica owns, in a hand-made history. */
export class Orphan {
  readonly externalKey = 'dv-aaaaa-bbbbbbbbbbbbbbbbb';
  readonly key = orphanKeyOf('skypilot', this.externalKey, 'machine-1');

  constructor(readonly history: History) {}

  found(
    policy: 'report' | 'approve' | 'auto',
    quarantineMs = 60_000,
    reason: 'no-owner' | 'owner-gone' = 'no-owner',
    externalKey = this.externalKey,
  ): this {
    const quarantinedUntil = new Date(this.history.nowMs + quarantineMs).toISOString();
    const seen = { providerId: 'machine-1', phase: 'up', price: null, detail: '' };
    return this.tell('orphan-found', { reason, policy, quarantinedUntil, ...seen, externalKey });
  }
  approved(): this {
    const data = { intentId: '00000000-0000-7000-8000-000000000001', orphan: this.key, reason: '' };
    this.history.append('fleet/orders', { type: 'davit.fleet.reap-approved', data }).later(1_000);
    return this;
  }
  deleteAttempted(attempt = 1, leaseEpoch = 1): this {
    return this.tell('delete-attempted', { attempt, leaseEpoch });
  }
  deleteAccepted(attempt = 1): this {
    return this.tell('delete-accepted', { attempt, detail: '' });
  }
  absent(): this {
    return this.tell('absence-observed', { by: 'inventory', inventoryRows: 0 });
  }
  confirmed(): this {
    const at = new Date(this.history.nowMs).toISOString();
    return this.tell('absence-confirmed', { observedAt: [at, at], inventoryRows: 0 });
  }
  cleared(): this {
    return this.tell('orphan-cleared', { reason: 'gone', detail: '' });
  }

  private tell(fact: string, data: object): this {
    const owner = { externalKey: this.externalKey, replicaId: null, adapter: 'skypilot' };
    // As above.
    const event = { type: `davit.resource.${fact}`, data: { ...owner, ...data } } as NewEvent;
    this.history.append(stream.resource(this.key), event).later(1_000);
    return this;
  }
}

/** Orders and states of the fleet, in a hand-made history. */
export const fleetEvent = (history: History, name: 'frozen' | 'thawed'): void => {
  const data =
    name === 'frozen'
      ? { lost: 4, suspects: 0, serving: 4, intervalMs: 60_000, replicas: [], detail: '' }
      : { why: 'recovered', detail: '' };
  history.append('fleet/losses', { type: `davit.fleet.${name}`, data } as NewEvent).later(1_000); // as above
};
