import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type IntentAnswer, stream } from '@davit/contracts';
import { PostgresEventLog, createDataSource, migrate, preparedStatements } from '@davit/event-log';
import { seededRandom, systemClock, systemIds } from '@davit/ports';
import { type TestDatabase, createDatabase } from '@davit/test-support';
import { manifest } from '../testing/manifest.js';
import { IntentHandler } from './intent-handler.js';

const APPLIES = 1_000;

let database: TestDatabase;
type DataSource = ReturnType<typeof createDataSource>;
let processes: DataSource[];
beforeAll(async () => {
  database = await createDatabase();
  processes = await Promise.all(
    [1, 2].map(() => createDataSource({ url: database.url, applicationName: 'test', poolSize: 2 }).initialize()),
  );
  await Promise.all(processes.map(migrate));
}, 60_000);
afterAll(async () => {
  await Promise.all(processes.map((each) => each.destroy()));
  await database.drop();
});

/** A front door of its own process; nobody starts replicas here, so there is nothing in the projection. */
function frontDoor(dataSource: DataSource, seed: number): IntentHandler {
  const log = new PostgresEventLog(preparedStatements(dataSource));
  const model = { get: () => Promise.resolve(undefined) };
  return new IntentHandler({ log, model, clock: systemClock, ids: systemIds, random: seededRandom(seed) }, 'spec-api');
}

test('a thousand different wishes for one deployment at once, at two front doors, are all answered, in one order', async () => {
  const [one, two] = processes.map((each, index) => frontDoor(each, index + 1));
  if (!one || !two) throw new Error('two front doors are needed');
  const answers = await Promise.all(
    Array.from({ length: APPLIES }, (_, n): Promise<IntentAnswer> =>
      (n % 2 === 0 ? one : two).apply(manifest({ scaling: { replicas: n + 1 } }), { channel: 'http' }),
    ),
  );
  const generations = answers.map((answer) => ('generation' in answer ? answer.generation : answer.outcome));
  expect(generations.toSorted((a, b) => Number(a) - Number(b))).toEqual(answers.map((_, index) => index + 1));

  const [dataSource] = processes;
  if (!dataSource) throw new Error('not connected');
  const declared = await new PostgresEventLog(dataSource).readStream(stream.deployment('default/qwen3-8b'));
  expect(declared.map(({ data }) => 'generation' in data && data.generation)).toEqual(
    answers.map((_, index) => index + 1),
  );
}, 180_000);
