import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { Queryable } from './queryable.js';

const NAME_LENGTH = 40;

/**
 * The pool of a data source with every statement prepared once on each connection: for statements that are run again and
 * again, planning costs the server more than running them. Only for texts that come from a small fixed set.
 * Faults are the driver's own.
 */
export function preparedStatements(dataSource: DataSource): Queryable {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH);
    names.set(text, name);
    return name;
  };
  return {
    async query(text, values = []) {
      const { rows } = await poolOf(dataSource).query<Record<string, unknown>>({ name: nameOf(text), text, values });
      return rows;
    },
  };
}

/** TypeORM keeps the pool of pg under this name, untyped; it exists once the data source is initialised. */
function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { readonly master: Pool }).master;
}
