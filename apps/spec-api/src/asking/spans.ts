import { badRequest } from '../operations/bad-request.js';
import type { Asking, View } from './asking.js';

/** Two moments of the log as they are asked for; the end of the log where no end is named. */
export interface AskedSpan {
  readonly from: string;
  readonly to?: string | undefined;
}

/**
 * What there is to see at the two ends of a span. `prefix` stands before the names of its fields: `?` in a query.
 * @throws ProblemError 400 where an end is no moment of this log, or the end lies before the beginning
 */
export async function endsOf(
  asking: Asking,
  { from: begin, to: end }: AskedSpan,
  prefix: '?' | '',
): Promise<{ readonly from: View; readonly to: View }> {
  // The end first: the beginning of a span that goes on is never after it.
  const to = end === undefined ? await asking.latest() : await asking.at(end, `${prefix}to`);
  const from = await asking.beginning(begin, `${prefix}from`);
  if (from.position <= to.position) return { from, to };
  const message = `${begin} lies after ${end ?? 'the end of the log'}`;
  throw badRequest([{ path: `${prefix}from`, message, remedy: 'Write the earlier moment first.' }]);
}
