import { isObject, objectBody, wholeBody, type JsonObject, type WireResponse } from '../../http/wire.js';
import { type VastFault } from '../defects.js';

type How = NonNullable<Extract<VastFault, { kind: 'wrong-output' }>['how']>;

/** An answer of the model that has become wrong in a given way; streams of events keep their form and change in each event. */
export function spoiled({ body, headers, ...reply }: WireResponse, how: How): WireResponse {
  const { type, kept } = withoutLength(headers);
  const isOfEvents = type.startsWith('text/event-stream');
  const changed = isOfEvents
    ? spoiledEvents(body, how)
    : typeof body === 'string'
      ? spoiledText(body, how)
      : late(body, how);
  return { ...reply, headers: kept, body: changed };
}

/** It has another length now. */
function withoutLength(headers: WireResponse['headers']) {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'));
  return { type: headers['content-type'] ?? '', kept };
}

function spoiledText(body: string, how: How): string {
  const answer = objectBody(body);
  return answer ? JSON.stringify(spoiledAnswer(answer, how)) : body;
}

/** Model servers behind a socket answer piece by piece; one answer is changed when it is there. */
async function* late(body: AsyncIterable<string>, how: How): AsyncGenerator<string> {
  yield spoiledText(await wholeBody(body), how);
}

const EVENT_END = '\n\n';

async function* spoiledEvents(body: string | AsyncIterable<string>, how: How): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of typeof body === 'string' ? [body] : body) {
    rest += piece;
    const end = rest.lastIndexOf(EVENT_END);
    if (end < 0) continue;
    yield spoiledData(rest.slice(0, end + EVENT_END.length), how);
    rest = rest.slice(end + EVENT_END.length);
  }
  if (rest !== '') yield spoiledData(rest, how);
}

const spoiledData = (events: string, how: How): string =>
  events.replaceAll(/^data: (\{.*\})$/gm, (_, data: string) => `data: ${spoiledText(data, how)}`);

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
