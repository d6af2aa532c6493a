import { EVENT_DEFINITIONS, type EventDefinition, type NewEvent, stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { type Pool, sample } from './sample.js';

/** What everything of one tenant is called, and the mark in every text that may be anything. */
export interface Planted {
  readonly tenant: string;
  readonly deployment: string;
  readonly mark: string;
  readonly keyId: string;
  readonly uuid: string;
}

const INSTANT = '2026-01-01T00:00:00.000Z';

export function poolOf({ tenant, deployment, mark, keyId, uuid }: Planted): Pool {
  const key = `${tenant}/${deployment}`;
  const replica = `${key}-1-0-1`;
  const rollout = `${key}-1-1`;
  return {
    named: {
      ...{ tenant, tenants: [tenant], deployment: key, name: deployment, keyId, id: keyId, alias: key },
      ...{
        replicaId: replica,
        replica,
        rolloutId: rollout,
        rollout: `${deployment}-1-1`,
        intentId: uuid,
        webhookId: uuid,
      },
      ...{
        externalKey: `dv-${mark.slice(0, 12)}`,
        url: `http://${mark}.example.com:8000`,
        about: replica,
        label: `team=${mark}`,
      },
      // Of texts alone: the whole log, where a span of it is asked for.
      ...{ from: '1', to: undefined, expiresAt: undefined, at: undefined },
    },
    texts: [
      ...[mark, `http://${mark}.example.com:8000`, replica, rollout, key, tenant, uuid, INSTANT, keyId],
      ...['DAVIT_WEBHOOK_SECRET_ONE', `${deployment}-1-0-1`, `${deployment}-1-1`],
      ...['a'.repeat(64), '1.00', 'USD', `dv-${mark.slice(0, 12)}`, '2026-01-01', '1', '30s', 'a'.repeat(40), '1h'],
      ...[`whsec_${Buffer.from(mark.repeat(4)).toString('base64').slice(0, 32)}`, 'L40S:1', 'davit.replica.ready'],
    ],
  };
}

/** Writes one event of every type there is, about this tenant's things, with its mark in every text. */
export async function plant(log: EventLog, planted: Planted): Promise<void> {
  const pool = poolOf(planted);
  // What ends a thing comes first, and so ends nothing: everything is there to be found.
  const isEnd = ({ type }: EventDefinition): number => (/(?:cleared|revoked|removed|thawed)$/.test(type) ? 0 : 1);
  for (const definition of EVENT_DEFINITIONS.toSorted((a, b) => isEnd(a) - isEnd(b))) {
    const data = sample(definition.data, pool);
    // The data is of the definition's own schema, which the append checks.
    const event = { type: definition.type, data } as NewEvent;
    await log.append([{ stream: streamOf(definition, planted), expectedVersion: 'any', events: [event] }], {
      ...{ tenant: tenantOf(definition, planted), service: 'test', actor: planted.mark },
    });
  }
}

/** What belongs to no tenant is written down as services do it. */
const tenantOf = ({ type }: EventDefinition, { tenant }: Planted): string =>
  /^davit\.(?:fleet\.(?!alarm)|capacity\.(?!assessed))/.test(type) ? 'default' : tenant;

function streamOf({ type }: EventDefinition, { tenant, deployment, mark, keyId, uuid }: Planted): string {
  const key = `${tenant}/${deployment}`;
  const [, category = '', name = ''] = type.split('.');
  const external = `dv-${mark.slice(0, 12)}`;
  const orphan = name.startsWith('orphan-') ? `skypilot:${external}@${mark}` : external;
  const streams: Readonly<Record<string, string>> = {
    intent: stream.intent(uuid),
    deployment: stream.deployment(key),
    replica: stream.replica(`${key}-1-0-1`),
    resource: stream.resource(orphan),
    endpoint: stream.endpoint(orphan),
    capacity: stream.capacity(mark),
    runtime: stream.runtime(`${key}-1-0-1`),
    route: stream.route(key),
    rollout: stream.rollout(`${key}-1-1`),
    tenant: stream.tenant(tenant),
    access: stream.access(keyId),
    fleet: name.startsWith('alarm')
      ? stream.fleetAlarms
      : /order|approved/.test(name)
        ? stream.fleetOrders
        : stream.fleetLosses,
  };
  return streams[category] ?? `${category}/${uuid}`;
}
