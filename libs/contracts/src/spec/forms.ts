import { z } from 'zod';

/** Text of one form; `wrong` says what a value of another form is not, and what to write. */
export const form = (pattern: RegExp, wrong: string, maximum: number) =>
  z.string({ error: wrong }).max(maximum).regex(pattern, { error: wrong });

/** At most 12 digits before the point and 6 after: more is no price of anything. */
export const amount = form(
  /^\d{1,12}(\.\d{1,6})?$/,
  'is not an amount; write digits in quotes, at most 12 of them and 6 decimals, for example "4.00"',
  20,
);
