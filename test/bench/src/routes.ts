import { parseArgs } from 'node:util';
import { PostgresEventLog, createDataSource, migrate, natsPoke, preparedStatements } from '@davit/event-log';
import { connect } from 'nats';
import { type Figure, budgetMet } from './bench.js';
import { heading, lineOf } from './report.js';
import { exportTimes } from './routes/exports.js';
import { fanOut } from './routes/fan-out.js';
import { writeFleet } from './routes/fleet.js';
import { startService } from './service-process.js';

/**
 * What consumers of routes wait for: a change until the last of many subscribers has it, and a list of many targets over HTTP. The
 * registry runs in a process of its own on a real log and broker.
 */
const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '100' },
    changes: { type: 'string', default: '200' },
    every: { type: 'string', default: '100' },
    targets: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '400' },
    json: { type: 'boolean', default: false },
  },
});
const { DATABASE_URL: url, NATS_URL: servers } = process.env;
if (url === undefined || servers === undefined)
  throw new Error('DATABASE_URL or NATS_URL is not set; start this with: npm run bench:routes');
const [subscribers, changes, targets] = [values.subscribers, values.changes, values.targets].map(Number);
const REPLICAS = 50;
const FEW = { deployments: 20, replicas: 4 };

const database = await createDataSource({ url, applicationName: 'davit-bench' }).initialize();
await migrate(database);
const connection = await connect({ servers, name: 'davit-bench' });
const log = new PostgresEventLog(preparedStatements(database), { poke: natsPoke(connection) });
const all: Figure[] = [];
const show = (title: string, ratio: string, figures: readonly Figure[]): void => {
  process.stdout.write(`${heading(title, ratio)}\n${figures.map(lineOf).join('\n')}\n`);
  all.push(...figures);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const names = await writeFleet(log, 'few', FEW);
let registry = await startService('router-registry');
try {
  const everyMs = Number(values.every);
  const parts = { log, registry, connection, names, subscribers: subscribers ?? 0, changes: changes ?? 0, everyMs };
  show(`${changes} route changes, ${subscribers} subscribers`, '× plain', await fanOut(parts));
  await registry.stop();
  const many = await writeFleet(log, 'many', {
    deployments: Math.ceil((targets ?? 0) / REPLICAS),
    replicas: REPLICAS,
  });
  registry = await startService('router-registry');
  const exported = { registry, log, connection, names: many, targets: targets ?? 0, times: Number(values.requests) };
  show(`${targets} targets over HTTP, ${values.requests} requests`, '× plain', await exportTimes(exported));
} finally {
  await registry.stop();
  await connection.close();
  await database.destroy();
}
const missed = all.filter((figure) => budgetMet(figure) === false).length;
process.stdout.write(`\n${missed === 0 ? 'All budgets met.' : `Budgets missed: ${missed}.`}\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ figures: all, missed })}\n`);
