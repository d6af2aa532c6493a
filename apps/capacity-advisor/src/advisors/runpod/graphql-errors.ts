import { z } from 'zod';
import type { AdviceFailure } from '../advisor.js';

/** An entry of `errors`. Its message is left alone: it is prose, and may hold anything. Numbers of a path arrive as text. */
export const graphqlError = z.object({
  path: z.array(z.string()).nullish(),
  extensions: z.object({ code: z.string().nullish() }).nullish(),
});
export type GraphqlError = z.infer<typeof graphqlError>;

const CODE = /^[A-Z][A-Z_]{0,39}$/;
const codeOf = ({ extensions }: GraphqlError): string => {
  const code = extensions?.code ?? '';
  return CODE.test(code) ? code : 'no code';
};

/** Their codes, which are words of the interface: `SUPPLY_CONSTRAINT`, `RUNPOD`. */
export const wordsOf = (errors: readonly GraphqlError[]): string =>
  [...new Set(errors.map(codeOf))].slice(0, 5).join(', ');

/** Whether an error may be the reason for what stands, or does not stand, at a path: one that names no path always may. */
export function concerns({ path }: GraphqlError, at: readonly (string | number)[]): boolean {
  if (!path || path.length === 0) return true;
  return path.slice(0, at.length).every((step, depth) => step === String(at[depth]));
}

const FAILURE_OF_CODE: ReadonlyMap<string, AdviceFailure> = new Map([
  ['UNAUTHENTICATED', 'credentials-rejected'],
  ['FORBIDDEN', 'credentials-rejected'],
  ['GRAPHQL_VALIDATION_FAILED', 'bad-question'],
  ['GRAPHQL_PARSE_FAILED', 'bad-question'],
  ['BAD_USER_INPUT', 'bad-question'],
]);

/** Errors in place of an answer are an outage of advice, unless their code says whose fault it is. None of them is stock. */
export const failureOf = (errors: readonly GraphqlError[]): AdviceFailure =>
  errors.map((error) => FAILURE_OF_CODE.get(codeOf(error))).find((failure) => failure !== undefined) ?? 'outage';
