import type { FieldProblem, ProblemDocument } from '@davit/contracts';
import { authorization, session } from './session.js';

/** What the server answered instead of what was asked for, or that it did not answer. */
export class ApiError extends Error {
  constructor(
    /** 0: no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly errors: readonly FieldProblem[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function withQuery(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Asks this page's own server, which is of the same release: what it answers is taken as its contract says.
 * @throws {ApiError}
 */
export async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await send(path, init);
  const text = await response.text();
  if (!response.ok) throw problemIn(response.status, text);
  return JSON.parse(text) as Answer;
}

export const get = <Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer> =>
  ask<Answer>(withQuery(path, query), signal === undefined ? {} : { signal });

export const post = <Answer>(path: string, body: unknown): Promise<Answer> =>
  ask<Answer>(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

/** A request with the key, where there is one. @throws {ApiError} when nothing answers, or a key is wanted */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      headers: { accept: 'application/json', ...authorization(), ...(init.headers as Record<string, string>) },
    });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError(0, 'unreachable', 'The server does not answer. It is asked again by itself.');
  }
  if (response.status === 401) session.refuse();
  return response;
}

export function problemIn(status: number, text: string): ApiError {
  try {
    const { code, detail, title, errors } = JSON.parse(text) as ProblemDocument;
    return new ApiError(status, code, detail ?? title, errors ?? []);
  } catch {
    return new ApiError(status, 'no-problem-document', `The server answered ${status}.`);
  }
}
