import { type Envelope, streamKeyOf } from '@davit/contracts';
import { z } from 'zod';

/** Columns of `log.events` as the driver hands them out; bigint comes as text. */
export const EVENT_COLUMNS = `position, stream, version, id, type, time, source, dataschema, tenant,
  causationid, correlationid, actor, basedonposition, traceparent, data`;

/** A bigint column as a number. @throws ZodError beyond 2^53, where numbers would lie. */
export const bigintColumn = z.union([z.string(), z.number()]).transform(Number).pipe(z.int());

const eventRow = z.object({
  position: bigintColumn,
  stream: z.string(),
  version: bigintColumn,
  id: z.string(),
  type: z.string(),
  time: z.date(),
  source: z.string(),
  dataschema: z.string(),
  tenant: z.string(),
  causationid: z.string().nullable(),
  correlationid: z.string().nullable(),
  actor: z.string().nullable(),
  basedonposition: bigintColumn.nullable(),
  traceparent: z.string().nullable(),
  data: z.unknown(),
});
const eventRows = z.array(eventRow);

/** Rows of `log.events` as envelopes, their data not yet looked at. */
export const envelopesOf = (rows: unknown): readonly Envelope[] => eventRows.parse(rows).map(toEnvelope);

function toEnvelope(row: z.infer<typeof eventRow>): Envelope {
  const { causationid, correlationid, actor, basedonposition, traceparent } = row;
  return {
    specversion: '1.0',
    id: row.id,
    source: row.source,
    type: row.type,
    subject: streamKeyOf(row.stream),
    time: row.time.toISOString(),
    dataschema: row.dataschema,
    data: row.data,
    stream: row.stream,
    version: row.version,
    position: row.position,
    tenant: row.tenant,
    ...(causationid === null ? {} : { causationid }),
    ...(correlationid === null ? {} : { correlationid }),
    ...(actor === null ? {} : { actor }),
    ...(basedonposition === null ? {} : { basedonposition }),
    ...(traceparent === null ? {} : { traceparent }),
  };
}
