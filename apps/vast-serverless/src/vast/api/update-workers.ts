import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';

const updated = z
  .object({ success: z.literal(true), workers_to_update: z.int().nonnegative().nullish().catch(null) })
  .transform(({ workers_to_update }) => ({ workersToUpdate: workers_to_update ?? null }));
const cancelled = z.object({ success: z.literal(true), cancelled: z.literal(true) }).transform(() => null);

/** The explicit trigger of a rolling update. */
export class UpdateWorkersApi {
  constructor(private readonly transport: Transport) {}

  /** Workers that the service says will be updated; null where it does not say. */
  start(groupId: number): Promise<Reply<{ readonly workersToUpdate: number | null }>> {
    return this.call(updated, { workergroup_id: groupId });
  }

  /** Stops an update; workers that were updated stay so, hence it is no way back. */
  cancel(groupId: number): Promise<Reply<null>> {
    return this.call(cancelled, { workergroup_id: groupId, cancel_update: true });
  }

  private call<Schema extends z.ZodType>(schema: Schema, body: object): Promise<Reply<z.output<Schema>>> {
    return this.transport.call({ route: 'POST update_workers', path: '/update_workers/', schema, body });
  }
}
