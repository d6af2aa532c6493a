import { LogUnavailableError } from '../errors.js';

/**
 * SQLSTATE classes after which the fate of a commit is unknown: connection, operator intervention, system, internal. A lock
 * that could not be had in time (55P03) is among them, since it stands in the way of every other append as well.
 */
const UNKNOWN_FATE = /^(08|55P03|57|58|XX)/;

function sqlState(error: unknown): string | undefined {
  // TypeORM wraps the driver's error, which carries the SQLSTATE as `code`.
  const inner = error instanceof Error && 'driverError' in error ? error.driverError : error;
  // Only an answer of the server has a severity; system errors have codes as well, EPIPE even one of five characters.
  if (!(inner instanceof Error) || !('severity' in inner) || !('code' in inner)) return undefined;
  return typeof inner.code === 'string' ? inner.code : undefined;
}

/** True when the server itself refused the statement, which rolls its transaction back whole. */
export function rolledBack(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !UNKNOWN_FATE.test(state);
}

/** Faults of the connection as what they mean to a writer; all others as they are. */
export const asLogFault = (error: unknown): unknown => (rolledBack(error) ? error : new LogUnavailableError(error));
