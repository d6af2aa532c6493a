/** The part of a TypeORM DataSource, QueryRunner or EntityManager that the log uses. */
export interface Queryable {
  /** Rows of a select or of an insert with `returning`; TypeORM answers an update with `[rows, count]`. */
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}
