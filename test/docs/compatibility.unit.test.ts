import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PUBLISHED_NAMES, publishedFile } from '@davit/contracts/published';
import { brokenPromises } from '../../scripts/docs/compatibility/index.mjs';
import { type Direction, type Schema, schemaChanges } from '../../scripts/docs/compatibility/schemas.mjs';
import { REFERENCE_FOLDER } from '../../scripts/docs/reference.mjs';

const changes = (direction: Direction, before: Schema, after: Schema): readonly string[] =>
  schemaChanges({ schema: before, document: {} }, { schema: after, document: {} }, direction);

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, required: readonly string[] = [], closed = true): Schema => ({
  type: 'object',
  properties,
  required,
  ...(closed ? { additionalProperties: false } : {}),
});
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
const outcome = (value: string, more: Record<string, Schema> = {}): Schema =>
  object({ outcome: { const: value }, ...more }, ['outcome', ...Object.keys(more)]);

describe('what is sent', () => {
  test.each<[string, Schema, Schema, RegExp]>([
    ['a member is refused', object({ a: text, b: text }), object({ a: text }), /^b can no longer be sent$/],
    ['a member becomes required', object({ a: text }), object({ a: text }, ['a']), /^a has to be sent now$/],
    ['a new member is required', object({}), object({ a: text }, ['a']), /^a has to be sent now$/],
    ['a value is refused', oneOf('x', 'y'), oneOf('x'), /^it can no longer be "y"$/],
    ['any text becomes a choice', text, oneOf('x'), /takes only "x" now/],
    ['null is refused', { type: ['string', 'null'] }, text, /can no longer be null/],
    ['a number has to be whole', { type: 'number' }, { type: 'integer' }, /whole number/],
    ['a text becomes a number', text, { type: 'number' }, /can no longer be string/],
    ['a bound is drawn closer', { type: 'integer', maximum: 9 }, { type: 'integer', maximum: 8 }, /maximum 8 now/],
    ['a bound is drawn', { type: 'array', items: text }, { type: 'array', items: text, minItems: 1 }, /minItems 1 now/],
    ['a pattern changes', { ...text, pattern: '^a' }, { ...text, pattern: '^b' }, /has to match \^b now/],
    ['a default changes', { ...text, default: 'x' }, { ...text, default: 'y' }, /read as "y"/],
    ['a form is refused', { anyOf: [outcome('a'), outcome('b')] }, { anyOf: [outcome('a')] }, /outcome="b"/],
    ['an object is closed', object({ a: text }, [], false), object({ a: text }), /members that are not named/],
  ])('breaks when %s', (_what, before, after, line) => {
    expect(changes('request', before, after)).toEqual([expect.stringMatching(line)]);
  });

  test.each<[string, Schema, Schema]>([
    ['nothing', object({ a: text }), object({ a: text })],
    ['a member that may be left out', object({}), object({ a: text })],
    ['a member that need not be sent any more', object({ a: text }, ['a']), object({ a: text })],
    ['a value more', oneOf('x'), oneOf('x', 'y')],
    ['a wider bound', { type: 'integer', maximum: 8 }, { type: 'integer', maximum: 9 }],
    ['a form more', { anyOf: [outcome('a')] }, { anyOf: [outcome('a'), outcome('b')] }],
    ['null too', text, { anyOf: [text, { type: 'null' }] }],
    ['other words', { ...text, description: 'this' }, { ...text, description: 'that' }],
  ])('may gain %s', (_what, before, after) => {
    expect(changes('request', before, after)).toEqual([]);
  });
});

describe('what is read', () => {
  test.each<[string, Schema, Schema, RegExp]>([
    ['a member goes', object({ a: text, b: text }), object({ a: text }), /^b is gone$/],
    ['a member may be absent', object({ a: text }, ['a']), object({ a: text }), /^a may now be absent$/],
    ['a value may be null', text, { type: ['string', 'null'] }, /^it may now be null$/],
    ['a text becomes a number', text, { type: 'number' }, /may now be number/],
    ['a whole number becomes any', { type: 'integer' }, { type: 'number' }, /no whole number/],
    ['a fixed value is another', { const: 'a' }, { const: 'b' }, /no longer "a"/],
    ['an instant is any text', { ...text, format: 'date-time' }, text, /no longer a date-time/],
    [
      'a member of one form goes',
      { anyOf: [outcome('a', { why: text }), outcome('b')] },
      { anyOf: [outcome('b'), outcome('a')] },
      /^why is gone$/,
    ],
    [
      'something deep inside changes',
      object({ items: { type: 'array', items: object({ a: text }, ['a']) } }),
      object({ items: { type: 'array', items: object({}) } }),
      /^items\[\]\.a is gone$/,
    ],
  ])('breaks when %s', (_what, before, after, line) => {
    expect(changes('answer', before, after)).toEqual([expect.stringMatching(line)]);
  });

  test.each<[string, Schema, Schema]>([
    ['a member', object({}), object({ a: text }, ['a'])],
    ['a value', oneOf('x'), oneOf('x', 'y')],
    ['a form with a mark of its own', { anyOf: [outcome('a')] }, { anyOf: [outcome('a'), outcome('b')] }],
    ['certainty', object({ a: text }), object({ a: text }, ['a'])],
  ])('may gain %s', (_what, before, after) => {
    expect(changes('answer', before, after)).toEqual([]);
  });

  test('is followed through references, also those that lead back', () => {
    const tree = (leaf: Schema) => ({ $defs: { tree: object({ leaf, more: { $ref: '#/$defs/tree' } }, ['leaf']) } });
    const located = (leaf: Schema) => ({ schema: { $ref: '#/$defs/tree' }, document: tree(leaf) });
    expect(schemaChanges(located(text), located({ type: 'null' }), 'answer')).toEqual([
      expect.stringMatching(/^leaf may now be null$/),
    ]);
  });
});

describe('the published contract', () => {
  const files = new Map<string, string>();
  const published = (name: string): string => files.get(name) ?? '';
  const edited = (file: string, from: string, to: string) => (name: string) => {
    const content = published(name);
    if (name !== file) return content;
    expect(content).toContain(from);
    return content.replace(from, to);
  };
  beforeAll(() => PUBLISHED_NAMES.forEach((name) => files.set(name, publishedFile(name))));

  test('keeps what docs/reference promises, unless its version moves', () => {
    const before = (name: string): string => readFileSync(path.resolve(REFERENCE_FOLDER, name), 'utf8');
    expect(brokenPromises(before, published)).toEqual([]);
  });

  test.each([
    [
      'an operation goes',
      'openapi.json',
      '"/v1/alarms": {',
      '"/v1/sirens": {',
      /^GET \/v1\/alarms is gone\..*CONTRACT_VERSION/,
    ],
    [
      'a subject goes',
      'asyncapi.json',
      '"davit.intent.fleet.thaw"',
      '"davit.intent.fleet.melt"',
      /^davit\.intent\.fleet\.thaw is davit/,
    ],
    ['an event changes', 'events.schema.json', '"cutRequests": {', '"cut": {', /^davit\.replica\.drained: .*upcaster/],
    [
      'the specification loses a field',
      'deployment.schema.json',
      '"servedName": {',
      '"called": {',
      /^the specification: spec\.model\.servedName can no longer be sent\..*API_VERSION/,
    ],
  ])('tells what breaks and the way out when %s', (_what, file, from, to, line) => {
    expect(brokenPromises(published, edited(file, from, to))).toContainEqual(expect.stringMatching(line));
  });

  test('may break what it promised once its version says so', () => {
    const moved = (name: string): string =>
      edited(
        'openapi.json',
        '"/v1/alarms": {',
        '"/v1/sirens": {',
      )(name).replace(/"version": "\d+\./, '"version": "99.');
    expect(brokenPromises(published, moved)).toEqual([]);
  });
});
