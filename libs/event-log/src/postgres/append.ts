import { z } from 'zod';
import type { PreparedAppend } from '../append/prepare.js';
import { sourceOf } from '../append/record.js';
import type { Queryable } from './queryable.js';

const appendAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('appended'),
    first: z.int().positive(),
    versions: z.array(z.int().nonnegative()),
    time: z.string(),
  }),
  z.object({ outcome: z.literal('duplicate'), first: z.int().positive(), last: z.int().positive() }),
  z.object({ outcome: z.literal('idempotency-conflict') }),
  z.object({ outcome: z.literal('already-handled') }),
  z.object({ outcome: z.literal('wrong-version'), stream: z.string(), expected: z.int(), actual: z.int() }),
  z.object({ outcome: z.literal('fenced') }),
]);
export type AppendAnswer = z.infer<typeof appendAnswer>;

const answerRows = z.array(z.object({ answer: appendAnswer }));

/** Commits a group of appends in one round trip; answers come in the order of the appends. */
export async function appendGroup(database: Queryable, appends: readonly PreparedAppend[]): Promise<AppendAnswer[]> {
  const rows = await database.query('select answer from log.append_v2($1)', [JSON.stringify(appends.map(toArgument))]);
  return answerRows.parse(rows).map(({ answer }) => answer);
}

/** Absent members stay absent: the function takes a missing one and an SQL null for the same thing. */
function toArgument({ context, writes, events }: PreparedAppend): object {
  return {
    lease: context.lease,
    idempotency: context.idempotency,
    inbox: context.inbox,
    requires: context.requires,
    context: {
      tenant: context.tenant,
      source: sourceOf(context),
      causationid: context.causationId,
      correlationid: context.correlationId,
      actor: context.actor,
      basedonposition: context.basedOnPosition,
      traceparent: context.traceparent,
    },
    writes: writes.map(({ stream, expectedVersion }) => ({
      stream,
      ...(expectedVersion === 'any' ? {} : { expected: expectedVersion }),
    })),
    events,
  };
}
