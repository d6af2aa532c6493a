import { parseArgs } from 'node:util';
import { PostgresEventLog, createDataSource, migrate, natsPoke, preparedStatements } from '@davit/event-log';
import { connect } from 'nats';
import { budgetMet } from './bench.js';
import { heading, lineOf } from './report.js';
import { startService } from './service-process.js';
import { streamFanOut } from './stream/fan-out.js';

/** What readers of the event stream wait for: events of a real log, over HTTP, to many of them at once. */
const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '500' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});
const { DATABASE_URL: url, NATS_URL: servers } = process.env;
if (url === undefined || servers === undefined)
  throw new Error('DATABASE_URL or NATS_URL is not set; start this with: npm run bench:stream');
const [readers = 0, perSecond = 0, seconds = 0] = [values.readers, values.rate, values.seconds].map(Number);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const database = await createDataSource({ url, applicationName: 'davit-bench' }).initialize();
await migrate(database);
const connection = await connect({ servers, name: 'davit-bench' });
const log = new PostgresEventLog(preparedStatements(database), { poke: natsPoke(connection) });
const api = await startService('spec-api', { DAVIT_MAX_EVENT_STREAMS: String(readers + 10) });
try {
  const figures = await streamFanOut({ log, api, readers, perSecond, seconds });
  const title = `${perSecond} events a second to ${readers} readers, ${seconds} s`;
  process.stdout.write(`${heading(title, '× plain')}\n${figures.map(lineOf).join('\n')}\n`);
  const missed = figures.filter((figure) => budgetMet(figure) === false).length;
  process.stdout.write(`\n${missed === 0 ? 'All budgets met.' : `Budgets missed: ${missed}.`}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify({ figures, missed })}\n`);
} finally {
  await api.stop();
  await connection.close();
  await database.destroy();
}
