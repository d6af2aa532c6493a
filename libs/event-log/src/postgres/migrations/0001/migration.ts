import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APPEND_FUNCTION_V1 } from '../../append-v1.js';
import { TABLES_0001 } from './tables.js';

/** Events, head, leases, idempotency keys, inbox, and the append function, version 1. */
export class Log0001Foundation1764374400000 implements MigrationInterface {
  // TypeORM orders migrations by the number at the end; a fixed name keeps it independent of minifiers.
  readonly name = 'Log0001Foundation1764374400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES_0001);
    await runner.query(APPEND_FUNCTION_V1);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema log cascade');
  }
}
