import { jsonErrorOffset } from './json-place.js';
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
  } catch {
    const offset = jsonErrorOffset(text);
    const lines = text.slice(0, offset).split('\n');
    const [line, column] = [lines.length, (lines.at(-1)?.length ?? 0) + 1];
    // The place is enough: the input itself may hold what is not for logs.
    const what = offset >= text.length ? 'the text ends too early' : 'unexpected character; write valid JSON';
    const detail = `line ${line}, column ${column}: ${what}`;
    throw new ProblemError(400, 'malformed-json', 'The body is not JSON', detail, undefined, { line, column });
  }
}
