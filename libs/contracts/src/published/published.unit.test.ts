import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { EVENT_DEFINITIONS, INTENTS, OPERATIONS, subjects } from '../index.js';
import { CONTRACT_VERSION, PUBLISHED_NAMES, publishedFile } from './index.js';

interface OpenApi {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}
interface AsyncApi {
  readonly channels: Readonly<
    Record<string, { address: string | null; parameters?: { event: { enum: string[] } }; messages: object }>
  >;
  readonly operations: Readonly<Record<string, object>>;
}

const texts = new Map(PUBLISHED_NAMES.map((name) => [name, publishedFile(name)]));
const read = <Shape>(name: (typeof PUBLISHED_NAMES)[number]): Shape => JSON.parse(texts.get(name) ?? '') as Shape;

describe('the published contract', () => {
  test.each(PUBLISHED_NAMES)('%s refers only to what stands in it', (name) => {
    const document = read<unknown>(name);
    const references = new Set([...(texts.get(name) ?? '').matchAll(/"\$ref": "([^"]+)"/g)].map(([, one = '']) => one));
    expect([...references].filter((reference) => !at(document, reference))).toEqual([]);
  });

  test.each(['events.schema.json', 'deployment.schema.json'] as const)('%s is JSON Schema 2020-12', (name) => {
    const ajv = new Ajv2020({ strict: false });
    expect({ valid: ajv.validateSchema(read<object>(name)), errors: ajv.errors }).toEqual({
      valid: true,
      errors: null,
    });
  });

  test('is the same whenever it is written', () => {
    for (const name of PUBLISHED_NAMES) expect(publishedFile(name)).toBe(texts.get(name));
  });

  function at(document: unknown, reference: string): unknown {
    const [file, ...parts] = reference.split('/');
    if (file !== '#') return undefined;
    return parts.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
  }
});

describe('openapi.json', () => {
  test('is OpenAPI 3.1', async () => {
    const checked = await new Validator().validate(read<Record<string, unknown>>('openapi.json'));
    expect(checked).toMatchObject({ valid: true });
  });

  test('has every operation, under its name, and the version of the contract', () => {
    const { info, paths } = read<OpenApi>('openapi.json');
    expect(info.version).toBe(CONTRACT_VERSION);
    const published = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    expect(published.sort()).toEqual(
      OPERATIONS.map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`).sort(),
    );
  });
});

describe('asyncapi.json', () => {
  test('is AsyncAPI 3', () => {
    const { schemasWithoutId } = createRequire(import.meta.url)('@asyncapi/specs') as {
      readonly schemasWithoutId: Readonly<Record<string, object>>;
    };
    const isAsyncApi = new Ajv({ strict: false, validateFormats: false }).compile(schemasWithoutId['3.0.0'] ?? false);
    isAsyncApi(read('asyncapi.json'));
    expect(isAsyncApi.errors).toBeNull();
  });

  test('has a subject for every type of event and every intent', () => {
    const { channels } = read<AsyncApi>('asyncapi.json');
    const addresses = Object.values(channels).flatMap(({ address, parameters }) =>
      parameters ? parameters.event.enum.map((event) => address?.replace('{event}', event)) : address,
    );
    const intents = Object.entries(INTENTS).flatMap(([kind, verbs]) =>
      verbs.map((verb) => `davit.intent.${kind}.${verb}`),
    );
    expect(addresses).toEqual(
      expect.arrayContaining([...intents, ...EVENT_DEFINITIONS.map(({ type }) => subjects.log(type))]),
    );
  });
});
