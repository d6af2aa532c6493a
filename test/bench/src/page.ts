import { parseArgs } from 'node:util';
import { PostgresEventLog, createDataSource, migrate, natsPoke, preparedStatements } from '@davit/event-log';
import { connect } from 'nats';
import { type Figure, budgetMet } from './bench.js';
import { Traffic } from './page/traffic.js';
import { Watcher } from './page/watcher.js';
import { heading, lineOf } from './report.js';
import { writeFleet } from './routes/fleet.js';
import { startService } from './service-process.js';

/**
 * How smooth the page stays while a large fleet changes all the time: a real front door over a real log, looked at in Chromium. It
 * shares the processor with the page; what they take together is what a person at this machine would feel.
 */
const { values } = parseArgs({
  options: {
    replicas: { type: 'string', default: '5000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const { DATABASE_URL: url, NATS_URL: servers } = process.env;
if (url === undefined || servers === undefined)
  throw new Error('DATABASE_URL or NATS_URL is not set; start this with: npm run bench:page');
const [replicas = 0, perSecond = 0, seconds = 0] = [values.replicas, values.rate, values.seconds].map(Number);
const OF_ONE = 50;
const VIEWS = ['/', '/replicas', '/events'];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const database = await createDataSource({ url, applicationName: 'davit-bench' }).initialize();
await migrate(database);
const connection = await connect({ servers, name: 'davit-bench' });
const log = new PostgresEventLog(preparedStatements(database), { poke: natsPoke(connection) });
const size = { deployments: Math.ceil(replicas / OF_ONE), replicas: OF_ONE };
const names = await writeFleet(log, 'many', size);
const api = await startService('spec-api');
const watcher = await Watcher.open(api.url);
const traffic = new Traffic({ log, names, replicas: OF_ONE, perSecond });
const all: Figure[] = [];
try {
  for (const view of VIEWS) {
    const figures = await watcher.watch(view, seconds, traffic);
    const title = `${view} with ${replicas} replicas, ${perSecond} events a second, ${seconds} s`;
    process.stdout.write(`${heading(title, '× idle')}\n${figures.map(lineOf).join('\n')}\n`);
    all.push(...figures);
  }
} finally {
  await watcher.close();
  await api.stop();
  await connection.close();
  await database.destroy();
}
const missed = all.filter((figure) => budgetMet(figure) === false).length;
process.stdout.write(`\n${missed === 0 ? 'All budgets met.' : `Budgets missed: ${missed}.`}\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ figures: all, missed })}\n`);
