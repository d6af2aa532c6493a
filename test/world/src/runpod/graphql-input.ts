import { type JsonObject } from '../http/wire.js';

/**
 * The object after `<field>(input:` of a query, as its members that are texts, numbers, booleans, names or null; undefined when
 * the field is not asked for. Texts may hold braces and escaped quotes.
 */
export function inputOf(query: string, field: string): JsonObject | undefined {
  const start = new RegExp(`\\b${field}\\s*\\(\\s*input\\s*:\\s*\\{`).exec(query);
  if (!start) return undefined;
  const members: Record<string, unknown> = {};
  const member = /\s*(?:(\})|(\w+)\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[\w.+-]+)\s*,?)/gy;
  member.lastIndex = start.index + start[0].length;
  for (let found = member.exec(query); found && found[1] === undefined; found = member.exec(query)) {
    members[found[2] ?? ''] = literal(found[3] ?? '');
  }
  return members;
}

function literal(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A name without quotes is a value of an enumeration; a text with a line break is no JSON.
    return text.replace(/^"|"$/g, '');
  }
}
