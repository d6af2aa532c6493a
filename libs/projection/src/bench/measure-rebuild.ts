import { PostgresEventLog } from '@davit/event-log';
import type { DataSource } from 'typeorm';
import { postgresProjectionStores } from '../postgres/postgres-stores.js';
import type { ProjectionDefinition } from '../projection.js';
import { applyEvents, foldUpTo } from '../rebuild.js';
import { appendReplicaLives } from './replica-life.js';

export interface RebuildFigures {
  readonly events: number;
  readonly documents: number;
  /** Read from the log, validated, folded and stored, by pages. Median of the runs. */
  readonly eventsPerSecond: number;
  readonly runs: readonly number[];
  /** Reading and validating alone: what no projection can be faster than. */
  readonly readPerSecond: number;
  /** The same fold with a commit for each event, as the baseline of the same run. */
  readonly rowByRowPerSecond: number;
  readonly ratioToRowByRow: number;
}

export interface RebuildOptions {
  /** Lives of some thirty events each that are appended before measuring. */
  readonly replicas: number;
  readonly runs: number;
}

const ROW_BY_ROW_EVENTS = 1_000;

/** Measures how fast a projection is rebuilt from the log in `database`, which must have the log's schema. */
export async function measureRebuild(
  database: DataSource,
  definition: ProjectionDefinition,
  options: RebuildOptions,
): Promise<RebuildFigures> {
  const log = new PostgresEventLog(database);
  const start = await log.head();
  const events = await appendReplicaLives(log, options.replicas);
  const head = start + events;
  const stores = postgresProjectionStores({ database, service: 'bench' });

  const readPerSecond = await rate(events, async () => {
    for (let after = start; after < head;) after = (await log.read(after, 1_000)).at(-1)?.position ?? head;
  });

  const runs: number[] = [];
  let documents = 0;
  for (let run = 0; run < options.runs; run++) {
    const store = stores.shadow(definition, `run-${run}`);
    await store.prepare();
    await store.commit(0, start, []);
    runs.push(await rate(events, () => foldUpTo(definition, log, store, start, head)));
    documents = (await store.list('replica')).length;
    await stores.dropShadow(definition, `run-${run}`);
  }

  const store = stores.shadow(definition, 'row-by-row');
  await store.prepare();
  await store.commit(0, start, []);
  const some = await log.read(start, ROW_BY_ROW_EVENTS);
  const rowByRowPerSecond = await rate(some.length, async () => {
    for (const event of some) await applyEvents(definition, store, event.position - 1, [event]);
  });
  await stores.dropShadow(definition, 'row-by-row');

  const eventsPerSecond = runs.toSorted((left, right) => left - right)[Math.floor(runs.length / 2)] ?? Number.NaN;
  const ratioToRowByRow = eventsPerSecond / rowByRowPerSecond;
  return { events, documents, eventsPerSecond, runs, readPerSecond, rowByRowPerSecond, ratioToRowByRow };
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (count / (performance.now() - startMs)) * 1_000;
}
