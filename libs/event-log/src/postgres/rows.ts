import { streamKeyOf } from '@davit/contracts';
import { z } from 'zod';

/** Columns of `log.events` under the names of the envelope; the time in the envelope's form, at the clock's precision. */
export const EVENT_COLUMNS = `position, stream, version, id, type, source, dataschema, tenant,
  to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time,
  causationid, correlationid, actor, basedonposition, traceparent, data`;

/** A bigint column as a number. @throws ZodError beyond 2^53, where numbers would lie. */
export const bigintColumn = z.union([z.string(), z.number()]).transform(Number).pipe(z.int());

const rowList = z.array(z.custom<Record<string, unknown>>((row) => typeof row === 'object' && row !== null));

/**
 * Rows of `log.events` in the shape of envelopes, for a schema to check: only renamed and counted, since looking at every
 * field twice would cost a rebuild a third of its speed.
 */
export const envelopeCandidates = (rows: unknown): readonly unknown[] => rowList.parse(rows).map(toCandidate);

function toCandidate(row: Record<string, unknown>): unknown {
  const { causationid, correlationid, actor, basedonposition, traceparent } = row;
  return {
    specversion: '1.0',
    id: row['id'],
    source: row['source'],
    type: row['type'],
    subject: streamKeyOf(String(row['stream'])),
    time: row['time'],
    dataschema: row['dataschema'],
    data: row['data'],
    stream: row['stream'],
    // The driver hands out bigint as text; the envelope's schema refuses what is no longer exact as a number.
    version: Number(row['version']),
    position: Number(row['position']),
    tenant: row['tenant'],
    ...(causationid === null ? {} : { causationid }),
    ...(correlationid === null ? {} : { correlationid }),
    ...(actor === null ? {} : { actor }),
    ...(basedonposition === null ? {} : { basedonposition: Number(basedonposition) }),
    ...(traceparent === null ? {} : { traceparent }),
  };
}
