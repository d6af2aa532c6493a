import { createDataSource, migrate } from '@davit/event-log';
import { lifeProjection } from './life-projection.js';
import { measureRebuild } from './measure-rebuild.js';

/** `node rebuild.js [replicas]` over an empty database named by DATABASE_URL; prints one line a figure. */
const url = process.env['DATABASE_URL'];
if (url === undefined) throw new Error('DATABASE_URL is not set; name an empty database to measure in');
const database = await createDataSource({ url, applicationName: 'projection-bench' }).initialize();
try {
  await migrate(database);
  const figures = await measureRebuild(database, lifeProjection, {
    replicas: Number(process.argv[2] ?? 3_000),
    runs: 3,
  });
  for (const [name, value] of Object.entries(figures)) {
    const values: readonly number[] = typeof value === 'number' ? [value] : (value as readonly number[]); // the only list is `runs`
    process.stdout.write(`${name.padEnd(20)}${values.map((figure) => figure.toFixed(1)).join('  ')}\n`);
  }
} finally {
  await database.destroy();
}
