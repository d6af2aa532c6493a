import type { FieldProblem, ProblemDocument } from '@davit/contracts';

/** An answer other than success, thrown by a handler and sent as an RFC 9457 problem document. */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    detail: string,
    readonly errors?: readonly FieldProblem[],
    /** Further members of the document. */
    readonly extensions: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.name = 'ProblemError';
  }
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

export function problemDocumentOf(error: ProblemError, instance?: string): ProblemDocument {
  return {
    ...error.extensions,
    type: `urn:davit:problem:${error.code}`,
    title: error.title,
    status: error.status,
    code: error.code,
    detail: error.message,
    ...(instance === undefined ? {} : { instance }),
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
  };
}
