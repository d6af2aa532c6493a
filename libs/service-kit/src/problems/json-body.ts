import { ProblemError } from './problem-error.js';

/**
 * Reads a JSON body.
 * @throws ProblemError 400 that says at which line and column the text stops being JSON
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') {
    throw new ProblemError(400, 'empty-body', 'The body is empty', 'Send a JSON document as the body.');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    const { line, column } = placeOf(text, reason);
    throw new ProblemError(
      400,
      'malformed-json',
      'The body is not JSON',
      `line ${line}, column ${column}: ${describe(reason)}`,
      undefined,
      { line, column },
    );
  }
}

/** The engine tells an offset, except where the text ends too early. */
function placeOf(text: string, reason: string): { readonly line: number; readonly column: number } {
  const match = /at position (\d+)/.exec(reason);
  const before = text.slice(0, match ? Number(match[1]) : text.length);
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** The engine quotes part of the input; the place is enough, and the input may hold what is not for logs. */
const describe = (reason: string): string =>
  reason.startsWith('Unexpected end') ? 'the text ends too early' : 'unexpected character; write valid JSON';
