import type { FieldProblem } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';

/** What is wrong with a request, parameter by parameter, as one problem document: 400. */
export const badRequest = (problems: readonly FieldProblem[]): ProblemError =>
  new ProblemError(
    400,
    'invalid-request',
    'The request is not valid',
    problems.map(({ path, message }) => `${path} ${message}`).join('; '),
    problems,
  );
