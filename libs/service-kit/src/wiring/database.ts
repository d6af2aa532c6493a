import { migrate } from '@davit/event-log';
import { type Clock, type Logger, type Random, backoffMs, sleep } from '@davit/ports';
import type { DataSource } from 'typeorm';
import { ConfigError } from '../config/load.js';

const RETRY = { firstMs: 200, maxMs: 5_000 };

export interface Patience {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Ends the waiting; the last error is thrown. */
  readonly signal: AbortSignal;
}

/**
 * Connects to the database and brings it up to this release, however long the database takes to appear.
 * @throws ConfigError when a server answers that does not know the user, the password or the database
 */
export async function openDatabase(dataSource: DataSource, patience: Patience): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (!dataSource.isInitialized) await dataSource.initialize();
      await migrate(dataSource);
      return;
    } catch (error) {
      if (isWrongAddress(error)) throw wrongAddress(error);
      if (patience.signal.aborted || isDefect(error)) throw error;
      const waitMs = backoffMs(RETRY, attempt, patience.random);
      patience.logger.warn({ attempt, waitMs, reason: reason(error) }, 'database not reached; trying again');
      await sleep(patience.clock, waitMs, patience.signal);
    }
  }
}

/** No such user, password or database, or no right to make tables there. */
const isWrongAddress = (error: unknown): boolean => /^(28...|3D...|42501)$/.test(sqlState(error) ?? '');

const wrongAddress = (error: unknown): ConfigError =>
  new ConfigError([
    `DATABASE_URL: the server refuses it (${reason(error)}). Set user, password and name of a database that the user owns.`,
  ]);

/** SQLSTATE classes of an answer that waiting does not change: a statement that the server refuses. */
const isDefect = (error: unknown): boolean => /^(42|22|23)/.test(sqlState(error) ?? '');

function sqlState(error: unknown): string | undefined {
  const inner = error instanceof Error && 'driverError' in error ? error.driverError : error;
  if (typeof inner !== 'object' || inner === null || !('code' in inner)) return undefined;
  return typeof inner.code === 'string' && /^[0-9A-Z]{5}$/.test(inner.code) ? inner.code : undefined;
}

/** A refused connection to several addresses comes as one error without a message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
