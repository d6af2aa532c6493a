import {
  type BodyOf,
  type OperationDefinition,
  type ParamsOf,
  type QueryOf,
  type SentQuery,
  contentProblem,
  describeIssues,
  readQuery,
} from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { z } from 'zod';
import { badRequest } from './bad-request.js';

const NOTHING = z.strictObject({});

/**
 * What was asked for, by the schema of the operation.
 * @throws ProblemError 400 that names each parameter, what is wrong with it, and what would be right
 */
export function queryOf<const Definition extends OperationDefinition>(
  { query = NOTHING }: Definition,
  sent: SentQuery,
): QueryOf<Definition> {
  const read = readQuery(query, sent);
  if (!read.ok) throw badRequest(read.problems);
  return read.query as QueryOf<Definition>; // the operation pairs its schema with this type
}

/**
 * The parts of the path.
 * @throws ProblemError 404 where one does not fit: it names nothing that exists
 */
export function paramsOf<const Definition extends OperationDefinition>(
  { params = NOTHING }: Definition,
  sent: unknown,
): ParamsOf<Definition> {
  const read = params.safeParse(sent);
  if (read.success) return read.data as ParamsOf<Definition>; // the operation pairs its schema with this type
  const problems = describeIssues(read.error.issues, params, sent);
  const detail = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new ProblemError(404, 'not-found', 'Not found', `There is no such thing: ${detail}.`, problems);
}

/**
 * The body.
 * @throws ProblemError 422 that names each field, what is wrong with it, and what would be right
 */
export function bodyOf<const Definition extends OperationDefinition>(
  { body = z.unknown() }: Definition,
  sent: unknown,
): BodyOf<Definition> {
  const read = body.safeParse(sent);
  const unsafe = contentProblem(sent);
  if (read.success && !unsafe) return read.data as BodyOf<Definition>; // the operation pairs its schema with this type
  const problems = unsafe ? [unsafe] : describeIssues(read.error?.issues ?? [], body, sent);
  const detail = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new ProblemError(422, 'invalid-request', 'The request is not valid', detail.slice(0, 1_000), problems);
}
