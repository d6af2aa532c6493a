import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from '@davit/event-log';
import { type TestDatabase, createDatabase } from '@davit/test-support';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { inJsonbOrder } from './jsonb-order.js';

let database: TestDatabase;
let connection: DataSource;

beforeAll(async () => {
  database = await createDatabase();
  connection = await createDataSource({ url: database.url, applicationName: 'projection-test' }).initialize();
});

afterAll(async () => {
  await connection.destroy();
  await database.drop();
});

/** Names that jsonb can hold: no NUL, no half of a pair. */
const names = fc
  .string({ unit: 'grapheme', maxLength: 6 })
  .filter((name) => !/[\0\p{Surrogate}]/u.test(name) && name !== '__proto__');
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.constant('x'),
    fc.array(tie('tree')),
    fc.dictionary(names, tie('tree')),
  ),
}));

it('members come in the order in which PostgreSQL gives them back', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const rows: unknown = await connection.query('select $1::jsonb as back', [JSON.stringify(value)]);
      const [{ back }] = rows as readonly [{ readonly back: unknown }]; // what was just asked for
      expect(JSON.stringify(inJsonbOrder(value))).toBe(JSON.stringify(back));
    }),
    { numRuns: 300 },
  );
});
