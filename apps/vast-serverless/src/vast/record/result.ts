import type { Failure, Refusal } from '../wire/reply.js';

/** One field that is stored otherwise than it was sent. Values are numbers, ids, hashes and names; never secrets. */
export interface Difference {
  readonly field: string;
  readonly sent: string;
  readonly stored: string;
}

/** What a write came to, judged by what is stored afterwards and not by what was answered. */
export type WriteResult<Row> =
  | { readonly outcome: 'written'; readonly before: Row; readonly after: Row }
  | {
      readonly outcome: 'differs';
      readonly after: Row;
      readonly differences: readonly Difference[];
      readonly detail: string;
    }
  | { readonly outcome: 'refused'; readonly class: Refusal['class']; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

export const failureOf = (reply: Failure): Extract<WriteResult<never>, { outcome: 'refused' | 'unknown' }> =>
  reply.kind === 'refused'
    ? { outcome: 'refused', class: reply.class, detail: reply.detail }
    : { outcome: 'unknown', detail: reply.detail };

export const refused = (detail: string): Extract<WriteResult<never>, { outcome: 'refused' }> => ({
  outcome: 'refused',
  class: 'config',
  detail,
});

export const difference = (field: string, sent: unknown, stored: unknown): Difference[] =>
  sent === stored ? [] : [{ field, sent: text(sent), stored: text(stored) }];

export const describe = (differences: readonly Difference[]): string =>
  differences.map(({ field, sent, stored }) => `${field} was sent as ${sent} and is ${stored}`).join('; ');

function text(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
