import pg from 'pg';

const PAGE = 2_000;
const MOST_TOLD = 10;

/** Events in the form in which they are published, from the table itself: what wrote them has no part in it. */
const EVENTS = `SELECT position::int, data, jsonb_strip_nulls(jsonb_build_object(
    'specversion', '1.0', 'id', id, 'type', type, 'source', source, 'dataschema', dataschema, 'tenant', tenant,
    'stream', stream, 'subject', substr(stream, strpos(stream, '/') + 1), 'version', version, 'position', position,
    'time', to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'causationid', causationid, 'correlationid', correlationid, 'actor', actor, 'basedonposition', basedonposition,
    'traceparent', traceparent)) AS envelope
  FROM log.events WHERE position > $1 ORDER BY position LIMIT ${PAGE}`;

interface Row {
  readonly position: number;
  readonly data: unknown;
  readonly envelope: object;
}

/**
 * Looks through the log of a database, where it has one.
 * @throws Error that names the first events that are not as published
 */
export async function mustHoldPublishedEvents(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ log: string | null }>(`SELECT to_regclass('log.events')::text AS log`);
    const odd = typeof rows[0]?.log === 'string' ? await lookThrough(client) : [];
    if (odd.length > 0)
      throw new Error(`events that docs/reference/events.schema.json does not allow:\n${odd.join('\n')}`);
  } finally {
    await client.end();
  }
}

async function lookThrough(client: pg.Client): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after = 0; found.length < MOST_TOLD;) {
    const { rows } = await client.query<Row>(EVENTS, [after]);
    if (rows.length === 0) break;
    // Most databases of tests have no event, and need no validator.
    const { unpublishedEvents } = await import('./published-events.js');
    found.push(...unpublishedEvents(rows.map(({ envelope, data }) => ({ ...envelope, data }))));
    after = rows.at(-1)?.position ?? after;
  }
  return found.slice(0, MOST_TOLD);
}
