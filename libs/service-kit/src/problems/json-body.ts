import { repeatedKey } from '@davit/contracts';
import { jsonErrorOffset } from './json-place.js';
import { ProblemError } from './problem-error.js';

/**
 * Reads a JSON body.
 * @throws ProblemError 400 that says at which line and column the text stops being JSON, or says something twice
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') {
    throw new ProblemError(400, 'empty-body', 'The body is empty', 'Send a JSON document as the body.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const offset = jsonErrorOffset(text);
    // The place is enough: the input itself may hold what is not for logs.
    const what = offset >= text.length ? 'the text ends too early' : 'unexpected character; write valid JSON';
    throw malformed(text, offset, what);
  }
  const repeated = repeatedKey(text);
  if (!repeated) return value;
  const what = `the key ${JSON.stringify(repeated.key)} is there a second time; write it once`;
  throw malformed(text, repeated.offset, what);
}

function malformed(text: string, offset: number, what: string): ProblemError {
  const lines = text.slice(0, offset).split('\n');
  const [line, column] = [lines.length, (lines.at(-1)?.length ?? 0) + 1];
  const detail = `line ${line}, column ${column}: ${what}`;
  return new ProblemError(400, 'malformed-json', 'The body is not JSON', detail, undefined, { line, column });
}
