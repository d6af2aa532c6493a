import { type Queryable, preparedStatements } from '@davit/event-log';
import type { DataSource } from 'typeorm';
import { storableJson } from '../canonical-json.js';
import {
  type Document,
  type DocumentChange,
  type DocumentRef,
  type ProjectionStore,
  ReadModelBehindError,
  type ScannedDocument,
  type StoredDocument,
} from '../projection.js';
import { createDocumentTable } from './schema.js';

/** The tables of a projection are gone; `prepare` makes them anew and the projection is built again from the log. */
export class ProjectionMissingError extends Error {
  readonly code = 'projection-missing';
  constructor(readonly table: string) {
    super(`table ${table} has no checkpoint; it will be prepared and rebuilt from the log`);
    this.name = 'ProjectionMissingError';
  }
}

/**
 * Spares the wait for the disk, for this transaction only. A crash of the database may take the last commits back, documents
 * and checkpoint together, and the log brings them again.
 */
const RELAXED = `relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

interface Row {
  readonly kind: string;
  readonly key: string;
  /** Null where there is none to a checkpoint. */
  readonly document: Document | null;
  readonly groups: readonly string[];
  /** bigint, which the driver hands over as text. */
  readonly position: string;
}

/**
 * One table per projection version. The checkpoint is a row of that table (empty kind and key), so that documents and
 * checkpoint cannot disagree, whatever is dropped, truncated or restored.
 */
export class PostgresProjectionStore implements ProjectionStore {
  private readonly table: string;
  private readonly statements: Queryable;

  constructor(
    private readonly database: DataSource,
    private readonly schema: string,
    private readonly name: string,
    private readonly options: { readonly unlogged: boolean } = { unlogged: false },
  ) {
    this.table = `${schema}.${name}`;
    this.statements = preparedStatements(database);
  }

  async prepare(): Promise<void> {
    await createDocumentTable(this.database, this.schema, this.name, this.options.unlogged);
  }

  async position(): Promise<number> {
    const rows = await this.query<{ position: string }>(
      `SELECT position FROM ${this.table} WHERE kind = '' AND key = ''`,
    );
    const [row] = rows;
    if (!row) throw new ProjectionMissingError(this.table);
    return Number(row.position);
  }

  async get<Shape extends Document>(
    kind: string,
    key: string,
    notBefore?: number,
  ): Promise<StoredDocument<Shape> | undefined> {
    if (notBefore !== undefined)
      return (await this.since<Shape>(notBefore, 'd.kind = $1 AND d.key = $2', [kind, key]))[0];
    const rows = await this.query<Row>(
      `SELECT kind, key, document, position FROM ${this.table} WHERE kind = $1 AND key = $2 AND kind <> ''`,
      [kind, key],
    );
    return rows.map((row) => toStored<Shape>(row))[0];
  }

  async getMany(refs: readonly DocumentRef[]): Promise<readonly StoredDocument[]> {
    if (refs.length === 0) return [];
    const rows = await this.query<Row>(
      `SELECT d.kind, d.key, d.document, d.position
         FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS u (kind, key)) AS wanted
         JOIN ${this.table} AS d ON d.kind = wanted.kind AND d.key = wanted.key
        WHERE d.kind <> ''`,
      [refs.map((ref) => ref.kind), refs.map((ref) => ref.key)],
    );
    return rows.map((row) => toStored(row));
  }

  async list<Shape extends Document>(
    kind: string,
    group?: string,
    notBefore?: number,
    changedAfter?: number,
  ): Promise<readonly StoredDocument<Shape>[]> {
    if (notBefore !== undefined) {
      return group === undefined
        ? this.since<Shape>(notBefore, 'd.kind = $1', [kind])
        : this.since<Shape>(notBefore, 'd.kind = $1 AND d.groups @> ARRAY[$2]::text[]', [kind, group]);
    }
    const inGroup = group === undefined ? '' : 'AND groups @> ARRAY[$2]::text[]';
    const parameters = group === undefined ? [kind] : [kind, group];
    const changed = changedAfter === undefined ? '' : `AND position > $${parameters.length + 1}`;
    const rows = await this.query<Row>(
      `SELECT kind, key, document, position FROM ${this.table}
        WHERE kind = $1 AND kind <> '' ${inGroup} ${changed} ORDER BY key`,
      changedAfter === undefined ? parameters : [...parameters, changedAfter],
    );
    return rows.map((row) => toStored<Shape>(row));
  }

  async scan(after: DocumentRef | undefined, limit: number): Promise<readonly ScannedDocument[]> {
    const rows = await this.query<Row>(
      `SELECT kind, key, document, groups, position FROM ${this.table}
        WHERE (kind, key) > ($1, $2) AND kind <> '' ORDER BY kind, key LIMIT $3`,
      [after?.kind ?? '', after?.key ?? '', limit],
    );
    return rows.map((row) => ({ ...toStored(row), groups: row.groups }));
  }

  /** One statement, so one transaction and one round trip: nothing is written unless the checkpoint moves. */
  async commit(from: number, to: number, changes: readonly DocumentChange[]): Promise<boolean> {
    if (changes.length === 0) return moved(await this.query(this.moveOnly(), [from, to]));
    const kept = changes.filter((change) => change.document !== undefined);
    const removed = changes.filter((change) => change.document === undefined);
    return moved(
      await this.query(this.moveAndWrite(), [
        from,
        to,
        kept.map((change) => change.kind),
        kept.map((change) => change.key),
        kept.map((change) => storableJson(change.document)),
        kept.map((change) => arrayLiteral(change.groups)),
        kept.map((change) => change.position),
        removed.map((change) => change.kind),
        removed.map((change) => change.key),
      ]),
    );
  }

  /** Documents and checkpoint in one statement, so that they are of one moment and cost one round trip. */
  private async since<Shape extends Document>(
    notBefore: number,
    condition: string,
    parameters: readonly string[],
  ): Promise<readonly StoredDocument<Shape>[]> {
    const rows = await this.query<Row & { readonly checkpoint: string }>(
      `SELECT c.position AS checkpoint, d.kind, d.key, d.document, d.position
         FROM ${this.table} AS c LEFT JOIN ${this.table} AS d ON d.kind <> '' AND ${condition}
        WHERE c.kind = '' AND c.key = '' ORDER BY d.key`,
      parameters,
    );
    const [first] = rows;
    if (!first) throw new ProjectionMissingError(this.table);
    const checkpoint = Number(first.checkpoint);
    if (checkpoint < notBefore) throw new ReadModelBehindError(checkpoint, notBefore);
    // A checkpoint without any document beside it comes as one row of nulls.
    return rows.flatMap((row) => (row.document === null ? [] : [toStored<Shape>(row)]));
  }

  private moveOnly(): string {
    return `WITH ${RELAXED}, moved AS (
              UPDATE ${this.table} SET position = $2 WHERE kind = '' AND key = '' AND position = $1 RETURNING 1
            )
            SELECT (SELECT count(*) FROM moved)::int AS moved FROM relaxed`;
  }

  private moveAndWrite(): string {
    return `WITH ${RELAXED}, moved AS (
              UPDATE ${this.table} SET position = $2 WHERE kind = '' AND key = '' AND position = $1 RETURNING 1
            ), written AS (
              INSERT INTO ${this.table} AS d (kind, key, document, groups, position)
              SELECT kind, key, document, groups::text[], position
                FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::text[], $7::bigint[]) AS n (kind, key, document, groups, position)
               WHERE EXISTS (SELECT 1 FROM moved)
              ON CONFLICT (kind, key) DO UPDATE
                SET document = excluded.document, groups = excluded.groups, position = excluded.position
            ), removed AS (
              DELETE FROM ${this.table} AS d USING unnest($8::text[], $9::text[]) AS g (kind, key)
               WHERE d.kind = g.kind AND d.key = g.key AND EXISTS (SELECT 1 FROM moved)
            )
            SELECT (SELECT count(*) FROM moved)::int AS moved FROM relaxed`;
  }

  private query<Result>(sql: string, parameters: readonly unknown[] = []): Promise<Result[]> {
    // The statements above return what their callers name.
    return this.statements.query(sql, [...parameters]) as Promise<Result[]>;
  }
}

function moved(rows: readonly unknown[]): boolean {
  const [row] = rows as readonly { readonly moved: number }[]; // the statements above return exactly this row
  return row?.moved === 1;
}

const toStored = <Shape extends Document>(row: Row): StoredDocument<Shape> => ({
  kind: row.kind,
  key: row.key,
  document: row.document as Shape, // the caller names the shape its fold gives this kind
  position: Number(row.position),
});

/** A text array as PostgreSQL writes it; arrays of arrays of different lengths cannot be parameters. */
const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/[\\"]/g, (character) => `\\${character}`)}"`).join(',')}}`;
