import { ProblemError } from '@davit/service-kit';
import { RoutesUnsettledError } from './settling.js';

/** What is read of the routes; 503 while they are being brought up to date after a start, so that readers keep what they have. */
export async function settled<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof RoutesUnsettledError)) throw error;
    throw new ProblemError(503, 'routes-unsettled', 'Routes are being brought up to date', error.message);
  }
}
