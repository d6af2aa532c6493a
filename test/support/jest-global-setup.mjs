import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, chmodSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeNatsConfig } from '../../scripts/lib/nats-config.mjs';
import { findNats } from '../../scripts/lib/nats-ladder.mjs';
import { runsDir } from '../../scripts/lib/paths.mjs';
import { freePort } from '../../scripts/lib/ports.mjs';
import { preparePostgres } from '../../scripts/lib/postgres.mjs';
import { waitUntil } from '../../scripts/lib/processes.mjs';
import { tcpAnswers } from '../../scripts/lib/ready.mjs';
import { RunLedger, sweepDeadRuns } from '../../scripts/lib/run-ledger.mjs';

/** Starts one PostgreSQL and one NATS server for the whole run, or takes those of DATABASE_URL and NATS_URL. */
export default async function setUp() {
  await sweepDeadRuns(runsDir);
  const ledger = new RunLedger(path.join(runsDir, `jest-${process.pid}`));
  await ledger.claim();
  const dir = mkdtempSync(path.join(tmpdir(), 'davit-test-'));
  ledger.scratch(dir);
  chmodSync(dir, 0o755);
  globalThis.davitTestRun = { ledger, dir };
  process.env.DAVIT_TEST_TOKEN = ledger.token;
  process.env.DAVIT_TEST_LEDGER = ledger.dir;
  process.env.DAVIT_TEST_SCRATCH = dir;
  const nats = await findNats();
  process.env.NATS_SERVER_BIN = nats.binary;
  await Promise.all([startPostgres(ledger, dir), startNats(ledger, dir, nats)]);
}

async function startPostgres(ledger, dir) {
  if (process.env.DATABASE_URL) {
    process.env.TEST_DATABASE_URL = process.env.DATABASE_URL;
    return;
  }
  const port = await freePort(0);
  const launch = await preparePostgres({ dataDir: path.join(dir, 'postgres'), port, durable: false });
  start(ledger, dir, 'postgres', launch.argv, { env: launch.env, ...launch.account });
  await answers('PostgreSQL', port, path.join(dir, 'postgres.log'));
  process.env.TEST_DATABASE_URL = launch.url;
}

async function startNats(ledger, dir, { binary, version }) {
  if (process.env.NATS_URL) {
    process.env.TEST_NATS_URL = process.env.NATS_URL;
    return;
  }
  const port = await freePort(0);
  const config = writeNatsConfig({ dir: path.join(dir, 'nats'), port, version, durable: false });
  start(ledger, dir, 'nats', [binary, '-c', config], { env: process.env });
  await answers('nats-server', port, path.join(dir, 'nats.log'));
  process.env.TEST_NATS_URL = `nats://127.0.0.1:${port}`;
}

function start(ledger, dir, name, [program, ...args], options) {
  mkdirSync(dir, { recursive: true });
  const log = openSync(path.join(dir, `${name}.log`), 'a');
  const child = spawn(program, args, {
    ...options,
    env: { ...options.env, DAVIT_RUN_TOKEN: ledger.token },
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => undefined);
  child.unref();
  if (child.pid !== undefined) ledger.record(name, child.pid);
}

async function answers(what, port, log) {
  if (!(await waitUntil(() => tcpAnswers(port), 30_000))) throw new Error(`${what} did not start; see ${log}`);
}

/** Ends the servers and removes their data. */
export async function tearDown() {
  const run = globalThis.davitTestRun;
  if (run === undefined) return;
  await run.ledger.release();
  rmSync(run.dir, { recursive: true, force: true });
}
