import { z } from 'zod';
import type { GrantedLease, Lease, Leases } from '../event-log.js';
import type { Queryable } from './queryable.js';
import { bigintColumn } from './rows.js';

const epochRows = z.union([z.tuple([]), z.tuple([z.object({ epoch: bigintColumn, store_ms: bigintColumn })])]);
const holdsRows = z.tuple([z.object({ holds: z.boolean() })]);

/**
 * Leases in `log.lease`, on the database's clock.
 *
 * The epoch grows with every taking that is not a renewal in time. A holder that comes back to its own lapsed or released
 * lease gets a new epoch too, so that what it began under the lapsed one is fenced off.
 */
export class PostgresLeases implements Leases {
  constructor(private readonly database: Queryable) {}

  async acquire(name: string, holder: string, ttlMs: number): Promise<GrantedLease | undefined> {
    const rows = await this.database.query(
      `insert into log.lease as l (name, holder, epoch, expires_at)
         values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
       on conflict (name) do update set
         holder = excluded.holder,
         epoch = case when l.holder = excluded.holder and l.expires_at > clock_timestamp() then l.epoch else l.epoch + 1 end,
         expires_at = clock_timestamp() + $3 * interval '1 millisecond'
       where l.holder = excluded.holder or l.expires_at <= clock_timestamp()
       returning epoch, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as store_ms`,
      [name, holder, ttlMs],
    );
    const [row] = epochRows.parse(rows);
    return row && { name, holder, epoch: row.epoch, storeMs: row.store_ms };
  }

  async holds({ name, holder, epoch }: Lease): Promise<boolean> {
    const rows = await this.database.query(
      `select exists (
         select from log.lease where name = $1 and holder = $2 and epoch = $3 and expires_at > clock_timestamp()
       ) as holds`,
      [name, holder, epoch],
    );
    return holdsRows.parse(rows)[0].holds;
  }

  /** The row stays, so that the next epoch is higher than every one before it. */
  async release({ name, holder, epoch }: Lease): Promise<void> {
    await this.database.query(
      `update log.lease set expires_at = '-infinity' where name = $1 and holder = $2 and epoch = $3`,
      [name, holder, epoch],
    );
  }
}
