import { type OutputObservation } from './observation.js';
import { shapeOf } from './shape.js';

/** Of an answer this much text is kept. */
const MOST_TEXT = 4_000;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {}); // any object can be read by name
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * What an answer shows of the contract. Reads the shapes of OpenAI's completions and chat completions, which the common engines
 * speak (https://platform.openai.com/docs/api-reference/chat/object); of any other JSON its structure alone.
 *
 * @param body the whole answer as text
 */
export function observeOutput(probe: string, body: string): OutputObservation {
  const parsed = parse(body);
  if (parsed === undefined) {
    const text = body.slice(0, MOST_TEXT);
    return { probe, shape: null, model: null, finishReason: null, text, outputTokens: null };
  }
  const answer = fieldsOf(parsed);
  const choice = fieldsOf(Array.isArray(answer['choices']) ? answer['choices'][0] : undefined);
  const text = textOf(fieldsOf(choice['message'])['content']) ?? textOf(choice['text']);
  const tokens = fieldsOf(answer['usage'])['completion_tokens'];
  return {
    probe,
    shape: shapeOf(parsed),
    model: textOf(answer['model']),
    finishReason: textOf(choice['finish_reason']),
    text: text === null ? null : text.slice(0, MOST_TEXT),
    outputTokens: Number.isSafeInteger(tokens) ? Number(tokens) : null,
  };
}

/** Undefined: not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
