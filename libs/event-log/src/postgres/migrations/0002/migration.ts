import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APPEND_FUNCTION_V2 } from '../../append-v2.js';

/** The append function, version 2, beside version 1: processes of both releases write to one log during a rollout. */
export class Log0002ReadConditions1764460800000 implements MigrationInterface {
  readonly name = 'Log0002ReadConditions1764460800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(APPEND_FUNCTION_V2);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function log.append_v2(jsonb)');
    await runner.query('drop function log.append_one_v2(jsonb, bigint)');
  }
}
