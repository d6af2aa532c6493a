import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';
import { id, maybeNumber, maybeText } from './fields.js';

/** A worker as the engine sees it. It says nothing of template, image or price: those are its instance's. */
const workerRow = z.object({
  /** Also its instance's id. */
  id,
  status: maybeText,
  cur_load: maybeNumber,
  /** Load units a second of its benchmark; a guess from the hardware until it was ready. */
  measured_perf: maybeNumber,
  perf: maybeNumber,
  reliability: maybeNumber,
  reqs_working: maybeNumber,
  /** Seconds since 1970. */
  loaded_at: maybeNumber,
  started_at: maybeNumber,
});
export type WorkerRow = z.infer<typeof workerRow>;

/** A bare list, or a list in an object. An error in either's place is unknown, and never an empty list. */
export const workerList = z.union([
  z.array(workerRow),
  z.object({ workers: z.array(workerRow) }).transform(({ workers }) => workers),
]);

/** Status in lower case; `unknown` when the row has none. */
export const statusOf = ({ status }: Pick<WorkerRow, 'status'>): string => (status ?? 'unknown').toLowerCase();

/** Workers as the engine sees them; it learns of a new endpoint with a delay of some seconds. */
export class WorkersApi {
  constructor(private readonly transport: Transport) {}

  ofEndpoint(endpointId: number): Promise<Reply<readonly WorkerRow[]>> {
    return this.transport.call({
      route: 'POST get_endpoint_workers',
      path: '/get_endpoint_workers/',
      schema: workerList,
      body: { id: endpointId },
    });
  }

  ofWorkergroup(groupId: number): Promise<Reply<readonly WorkerRow[]>> {
    return this.transport.call({
      route: 'POST get_workergroup_workers',
      path: '/get_workergroup_workers/',
      schema: workerList,
      body: { id: groupId },
    });
  }
}
