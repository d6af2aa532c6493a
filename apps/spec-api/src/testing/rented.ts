import { type EventData, type HourlyPrice, type NewEvent, stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';

export const placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
};

const quoted = (amount: string): HourlyPrice => ({
  ...{ amount, currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod-v2' },
  observedAt: '2026-01-01T00:00:00.000Z',
});

/** Writes the events of a replica that was placed at a price and launched; the provider has not shown it yet. */
export async function rented(
  log: EventLog,
  {
    tenant = 'default',
    name,
    hourly,
    evidence = [],
  }: {
    readonly tenant?: string;
    readonly name: string;
    readonly hourly: string | null;
    readonly evidence?: EventData<'davit.replica.placed'>['evidence'];
  },
): Promise<string> {
  const deployment = `${tenant}/${name}`;
  const replicaId = `${deployment}-1-0-1`;
  const externalKey = `dv-aaaaa-${name}`;
  const write = (to: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
    log.append([{ stream: to, expectedVersion: 'any', events }], { tenant, service: 'test' });
  const price = hourly === null ? null : quoted(hourly);
  const owner = { externalKey, replicaId, adapter: 'skypilot' };
  const asked = {
    revision: 1,
    ordinal: 0,
    incarnation: 1,
    mode: 'elastic',
    adapter: 'skypilot',
    servedName: name,
  } as const;
  await write(
    stream.replica(replicaId),
    {
      type: 'davit.replica.requested',
      data: { replicaId, deployment, externalKey, reason: 'wanted', replaces: null, ...asked },
    },
    { type: 'davit.replica.discovery-requested', data: { replicaId, attempt: 1 } },
    { type: 'davit.replica.placed', data: { replicaId, rung: 0, placement, adopted: false, price, evidence } },
    { type: 'davit.replica.launch-requested', data: { replicaId, attempt: 1, deadlineAt: '2026-01-01T01:00:00.000Z' } },
  );
  await write(
    stream.resource(externalKey),
    { type: 'davit.resource.launch-attempted', data: { ...owner, attempt: 1, placement, leaseEpoch: 1 } },
    { type: 'davit.resource.launch-accepted', data: { ...owner, attempt: 1, handle: null, resolvedBy: 'reply' } },
  );
  return replicaId;
}
