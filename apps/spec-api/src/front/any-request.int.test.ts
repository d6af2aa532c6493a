import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATIONS, type OperationDefinition, problemDocument } from '@davit/contracts';
import { type NatsBroker, type TestDatabase, createDatabase, startNats } from '@davit/test-support';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { z } from 'zod';
import { type Shape, changed, strange, valueOf } from '../testing/any-value.js';
import { manifest } from '../testing/manifest.js';
import { type Answer, type Served, serve } from '../testing/served.js';

let database: TestDatabase;
let broker: NatsBroker;
let served: Served;
beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  served = await serve({
    DATABASE_URL: database.url,
    NATS_URL: broker.url,
    DAVIT_ADVICE_TIMEOUT: '100ms',
    DAVIT_RATE_LIMIT: '100000',
    // Requests are made up in the same process, which is late while it does so.
    DAVIT_MAX_LOOP_DELAY: '60s',
  });
  await served.ask('POST', '/v1/intents/deployment/apply', { body: manifest({}, { name: 'small' }) });
}, 60_000);
afterAll(async () => {
  await served.service.stop();
  await broker.dispose();
  await database.drop();
}, 60_000);

const RUNS = 12;

/** Streams do not end, and a webhook that is registered would be sent to. */
const ASKED = OPERATIONS.filter(
  ({ media, tag, method }) => media === undefined && !(tag === 'webhooks' && method !== 'GET'),
);

/** What a client that never saw the code would be told by the schema alone. */
const shapeOf = (schema: z.ZodType): Shape =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape; // of the same draft

const isProblem = new Ajv2020({ strict: false, validateFormats: false }).compile(
  z.toJSONSchema(problemDocument, { io: 'output' }),
);

interface Request {
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Names that are there, names that could be, and what is none. */
const partOf = (shape: Shape): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('default', 'small', 'small-1-0-1'),
    valueOf(shape).map(String),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  );

function requestFor({ path, params, query, body, headers }: OperationDefinition): fc.Arbitrary<Request> {
  const parts = fc.record(membersOf(params, partOf));
  const filters = fc.record(
    membersOf(query, (shape) => fc.oneof({ weight: 3, arbitrary: valueOf(shape) }, strange)),
    { requiredKeys: [] },
  );
  const named = fc.record(
    membersOf(headers, (shape) => fc.oneof(valueOf(shape).map(String), fc.string({ maxLength: 20 }))),
    { requiredKeys: [] },
  );
  const content = body
    ? fc.oneof(valueOf(shapeOf(body)), valueOf(shapeOf(body)).chain(changed), strange)
    : fc.constant(undefined);
  return fc
    .record({ parts, filters, named, content })
    .map(({ parts: of, filters: by, named: under, content: said }) => ({
      path: `${filled(path, of)}${queryText(by)}`,
      body: said,
      headers: Object.fromEntries(
        Object.entries(under).flatMap(([name, text = '']) => (/^[\x20-\x7e]+$/.test(text) ? [[name, text]] : [])),
      ),
    }));
}

function membersOf<Value>(
  schema: z.ZodObject | undefined,
  of: (shape: Shape) => fc.Arbitrary<Value>,
): Record<string, fc.Arbitrary<Value>> {
  if (!schema) return {};
  const { properties = {} } = shapeOf(schema);
  return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, of(shape)]));
}

const filled = (path: string, parts: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? 'x') || '-');

function queryText(filters: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(filters).map(
    ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return text.length === 0 ? '' : `?${text.join('&')}`;
}

/** Whoever asks for what is not there is told where its right name is to be found. */
const remedied = (body: unknown): boolean => problemDocument.safeParse(body).data?.errors?.[0]?.remedy !== undefined;

/** Why an answer is none that the contract allows; nothing where it is. */
function objection({ responses }: OperationDefinition, { status, headers, body, text }: Answer): string | undefined {
  if (status >= 500) return `${status}: ${text}`;
  if (status === 304) return undefined;
  const type = headers.get('content-type') ?? '';
  if (status >= 400) {
    if (!type.includes('application/problem+json')) return `${status} is no problem document but ${type}`;
    if (status === 404 && !remedied(body)) return `404 without a remedy: ${text}`;
    return isProblem(body) ? undefined : `no problem document: ${JSON.stringify(isProblem.errors)}: ${text}`;
  }
  const read = responses[status]?.safeParse(body);
  if (!read) return `${status} is none of the statuses that are published`;
  return read.success ? undefined : `the answer is not as published: ${read.error.message.slice(0, 500)}`;
}

describe('any request, right or wrong, is answered as the contract says, and never with a fault of the server', () => {
  test.each(ASKED.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (_id, operation) => {
      await fc.assert(
        fc.asyncProperty(requestFor(operation), async ({ path, body, headers }) => {
          const answer = await served.ask(operation.method, path, { body, headers });
          expect({ path, body, wrong: objection(operation, answer) }).toEqual({ path, body, wrong: undefined });
        }),
        // Each step of shrinking would be a request: the counterexample as it was found says enough.
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    60_000,
  );
});
