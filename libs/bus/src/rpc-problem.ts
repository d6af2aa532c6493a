import { type ProblemDocument, problemDocument } from '@davit/contracts';
import { RpcException } from '@nestjs/microservices';
import { reasonOf } from './errors.js';

/** Thrown by a request handler to answer with this problem. */
export class RpcProblemError extends RpcException {
  constructor(readonly problem: ProblemDocument) {
    super(problem);
    this.name = 'RpcProblemError';
    this.message = problem.detail ?? problem.title;
  }

  get code(): string {
    return this.problem.code;
  }
}

export const problem = (code: string, status: number, title: string, detail?: string): ProblemDocument => ({
  type: `urn:davit:problem:${code}`,
  title,
  status,
  code,
  ...(detail === undefined ? {} : { detail }),
});

/** A reason may hold the whole of what was asked. */
const MAX_DETAIL = 2_000;

/** What a failed request handler is answered with: its own problem, else one that says only that it failed. */
export function problemOf(error: unknown): ProblemDocument {
  const candidate = error instanceof RpcException ? error.getError() : error;
  const parsed = problemDocument.safeParse(candidate);
  if (parsed.success) return parsed.data;
  const hasCode = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
  return problem(
    hasCode ? String(error.code) : 'internal',
    500,
    'The request failed',
    reasonOf(error).slice(0, MAX_DETAIL),
  );
}
