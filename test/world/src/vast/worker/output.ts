import { isObject, objectBody, type JsonObject } from '../../http/wire.js';
import { type VastFault } from '../defects.js';

type How = NonNullable<Extract<VastFault, { kind: 'wrong-output' }>['how']>;

/** An answer of the model that has become wrong in a given way; streams keep their form and change in each event. */
export function spoiled(body: string | AsyncIterable<string>, how: How): string | AsyncIterable<string> {
  if (typeof body !== 'string') return spoiledStream(body, how);
  const answer = objectBody(body);
  return answer ? JSON.stringify(spoiledAnswer(answer, how)) : body;
}

async function* spoiledStream(body: AsyncIterable<string>, how: How): AsyncGenerator<string> {
  for await (const piece of body)
    yield piece.replaceAll(/^data: (\{.*\})$/gm, (line, data: string) => {
      const event = objectBody(data);
      return event ? `data: ${JSON.stringify(spoiledAnswer(event, how))}` : line;
    });
}

function spoiledAnswer(answer: JsonObject, how: How): JsonObject {
  switch (how) {
    case 'schema': {
      const { choices, ...rest } = answer;
      return { ...rest, outputs: choices };
    }
    case 'model':
      return { ...answer, model: 'another/model' };
    case 'empty':
      return withText(answer, () => '');
    case 'text':
      return withText(answer, (text) => text.split('').reverse().join(''));
    case 'wording':
      return withText(answer, (text) => text.replace(/\S+(?=\s*$)/, 'otherwise'));
  }
}

/** Every text that a choice holds, whole or in part. */
function withText(answer: JsonObject, change: (text: string) => string): JsonObject {
  const changed = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, field]) => {
      if ((name === 'text' || name === 'content') && typeof field === 'string') return [name, change(field)];
      return [name, name === 'message' || name === 'delta' ? changed(field) : field];
    });
    return Object.fromEntries(entries) as unknown;
  };
  const { choices } = answer;
  return Array.isArray(choices) ? { ...answer, choices: choices.map(changed) } : answer;
}
