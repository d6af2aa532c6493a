import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { identityOf, isAlive, processesWithEnvironment, startTimeOf, waitUntil } from './processes.mjs';
import { RunLedger, sweepDeadRuns } from './run-ledger.mjs';
import { Supervisor } from './supervisor.mjs';

const HOST = path.resolve(import.meta.dirname, 'testing', 'supervised-host.mjs');
const SLEEP = [process.execPath, '-e', 'setInterval(() => undefined, 1e6)'];

let dir: string;
let hosts: ChildProcess[];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'davit-supervisor-'));
  hosts = [];
});
afterEach(async () => {
  await new RunLedger(path.join(dir, 'run')).release();
  for (const host of hosts) host.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

interface Report {
  readonly ended: string[];
  readonly token: string;
  readonly pids: number[];
}

/** Starts the stand-in for a command and waits for its line; undefined when it ended instead. */
async function startHost(): Promise<{ host: ChildProcess; report: Report | undefined }> {
  const host = spawn(process.execPath, [HOST, dir], { stdio: ['ignore', 'pipe', 'ignore'] });
  hosts.push(host);
  const line = await new Promise<string>((resolve) => {
    host.stdout.setEncoding('utf8').once('data', resolve);
    host.once('exit', () => resolve(''));
  });
  return { host, report: line === '' ? undefined : (JSON.parse(line) as Report) };
}

/** What a recorded process leaves in the ledger's folder. */
function writeRecord(name: string, record: object): void {
  mkdirSync(path.join(dir, 'run'), { recursive: true });
  writeFileSync(path.join(dir, 'run', `${name}.json`), JSON.stringify({ name, ...record }));
}

function sleeper(): { child: ChildProcess; pid: number } {
  const child = spawn(SLEEP[0] ?? '', SLEEP.slice(1), { detached: true, stdio: 'ignore' });
  hosts.push(child);
  if (child.pid === undefined) throw new Error('no sleeper');
  return { child, pid: child.pid };
}

const gone = (pids: readonly number[]): Promise<boolean> =>
  waitUntil(() => pids.every((pid) => startTimeOf(pid) === undefined), 10_000);

const supervisorHere = async (): Promise<Supervisor> => {
  const ledger = new RunLedger(path.join(dir, 'run'));
  await ledger.claim();
  return new Supervisor({ ledger, logDir: path.join(dir, 'log'), tell: () => undefined, graceMs: 300 });
};

describe('what a killed supervisor leaves', () => {
  test('is ended by the next start, grandchildren in their own groups included', async () => {
    const first = await startHost();
    const before = first.report;
    if (before === undefined) throw new Error('the first host did not start');
    const marked = (): number => processesWithEnvironment(`DAVIT_RUN_TOKEN=${before.token}`).length;
    await waitUntil(() => marked() === 3, 5_000);
    expect(marked()).toBe(3);
    first.host.kill('SIGKILL');
    await once(first.host, 'exit');
    expect(before.pids.every((pid) => startTimeOf(pid) !== undefined)).toBe(true);

    const second = await startHost();
    expect([...(second.report?.ended ?? [])].sort()).toEqual(['one', 'two']);
    expect(await gone(before.pids)).toBe(true);
    expect(marked()).toBe(0);
  });

  test('is ended by a sweep over all runs, and a live run is left alone', async () => {
    const dead = sleeper();
    const live = sleeper();
    const runs = path.join(dir, 'runs');
    for (const [name, { pid }, owner] of [
      ['dead', dead, { pid: 2 ** 22 - 1, startTime: '1', bootId: identityOf(process.pid)?.bootId }],
      ['live', live, identityOf(process.pid)],
    ] as const) {
      mkdirSync(path.join(runs, name), { recursive: true });
      writeFileSync(path.join(runs, name, 'owner.json'), JSON.stringify({ name: 'owner', ...owner }));
      writeFileSync(path.join(runs, name, 'child.json'), JSON.stringify({ name: 'child', ...identityOf(pid) }));
    }
    expect(await sweepDeadRuns(runs)).toEqual(['child']);
    expect(await gone([dead.pid])).toBe(true);
    expect(startTimeOf(live.pid)).toBeDefined();
  });
});

test('the scratch folder of a killed run is removed with it', async () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'davit-scratch-'));
  const kept = mkdtempSync(path.join(tmpdir(), 'other-'));
  for (const [name, folder] of [
    ['a', scratch],
    ['b', kept],
  ] as const) {
    mkdirSync(path.join(dir, 'runs', name), { recursive: true });
    const dead = { name: 'owner', pid: 2 ** 22 - 1, startTime: '1', bootId: identityOf(process.pid)?.bootId };
    writeFileSync(path.join(dir, 'runs', name, 'owner.json'), JSON.stringify(dead));
    new RunLedger(path.join(dir, 'runs', name)).scratch(folder);
  }
  await sweepDeadRuns(path.join(dir, 'runs'));
  expect([existsSync(scratch), existsSync(kept)]).toEqual([false, true]);
  rmSync(kept, { recursive: true });
});

describe('identity of a process', () => {
  test('a process that got the pid of a recorded one, but started at another time, is never ended', async () => {
    const { pid } = sleeper();
    const identity = identityOf(pid);
    writeRecord('stranger', { ...identity, startTime: `${Number(identity?.startTime) - 1}` });
    expect((await new RunLedger(path.join(dir, 'run')).claim()).ended).toEqual([]);
    expect(startTimeOf(pid)).toBe(identity?.startTime);
  });

  test('a record from before a reboot is never acted upon', async () => {
    const { pid } = sleeper();
    writeRecord('stranger', { ...identityOf(pid), bootId: 'another boot' });
    expect((await new RunLedger(path.join(dir, 'run')).claim()).ended).toEqual([]);
    expect(startTimeOf(pid)).toBeDefined();
  });

  test('a torn record is ignored', async () => {
    writeRecord('torn', {});
    writeFileSync(path.join(dir, 'run', 'torn.json'), '{"pid": 1');
    expect((await new RunLedger(path.join(dir, 'run')).claim()).ended).toEqual([]);
  });
});

describe('a second start', () => {
  test('is refused while the first runs, and harms nothing', async () => {
    const first = await startHost();
    const ledger = new RunLedger(path.join(dir, 'run'));
    await expect(ledger.claim()).rejects.toMatchObject({ code: 'run-in-use' });
    await expect(ledger.claim()).rejects.toThrow(String(first.host.pid));
    expect(first.report?.pids.every((pid) => startTimeOf(pid) !== undefined)).toBe(true);
  });

  test('of several at once takes over from a dead owner only once', async () => {
    const dead = {
      name: 'owner',
      pid: 2 ** 22 - 1,
      startTime: '1',
      bootId: identityOf(process.pid)?.bootId,
      token: 'old',
    };
    writeRecord('owner', dead);
    const started = await Promise.all([1, 2, 3, 4].map(() => startHost()));
    expect(started.filter(({ report }) => report !== undefined)).toHaveLength(1);
    const pids = started.flatMap(({ report }) => report?.pids ?? []);
    expect(pids.every((pid) => startTimeOf(pid) !== undefined)).toBe(true);
  });

  test('is not held up by an unreadable record of the owner', async () => {
    mkdirSync(path.join(dir, 'run'));
    writeFileSync(path.join(dir, 'run', 'owner.json'), '{"pid"');
    expect((await new RunLedger(path.join(dir, 'run')).claim()).ended).toEqual([]);
  });

  test('finds nothing to end after a graceful stop', async () => {
    const first = await startHost();
    first.host.kill('SIGTERM');
    await once(first.host, 'exit');
    expect(first.report?.pids.every((pid) => startTimeOf(pid) === undefined)).toBe(true);
    expect((await startHost()).report?.ended).toEqual([]);
  });
});

describe('children', () => {
  test('one that is killed is started again, and its orphans are ended', async () => {
    const supervisor = await supervisorHere();
    await supervisor.start({ name: 'a', argv: SLEEP, env: process.env, ready: () => true });
    const before = supervisor.pidOf('a');
    supervisor.signal('a', 'SIGKILL');
    expect(await waitUntil(() => ![undefined, before].includes(supervisor.pidOf('a')), 5_000)).toBe(true);
    await supervisor.stopAll();
  });

  test('one that was stopped stays down until it is restarted', async () => {
    const supervisor = await supervisorHere();
    await supervisor.start({ name: 'a', argv: SLEEP, env: process.env, ready: () => true });
    await supervisor.stop('a', 'SIGKILL');
    expect(supervisor.pidOf('a')).toBeUndefined();
    await supervisor.restart('a');
    expect(supervisor.pidOf('a')).toBeDefined();
    await supervisor.stopAll();
  });

  test('one that ignores the request to end is forced after the grace', async () => {
    const supervisor = await supervisorHere();
    const stubborn = `process.on('SIGTERM', () => undefined); console.log('armed'); setInterval(() => undefined, 1e6)`;
    const log = path.join(dir, 'log', 'a.log');
    await supervisor.start({
      name: 'a',
      argv: [process.execPath, '-e', stubborn],
      env: process.env,
      ready: () => readFileSync(log, 'utf8').includes('armed'),
    });
    const pid = supervisor.pidOf('a') ?? 0;
    const identity = identityOf(pid);
    await supervisor.stopAll();
    expect(identity !== undefined && isAlive(identity)).toBe(false);
  });

  test('one that never becomes ready fails the start with the end of its log', async () => {
    const supervisor = await supervisorHere();
    const start = supervisor.start({
      name: 'a',
      argv: [process.execPath, '-e', 'console.error("no such setting: FOO"); process.exit(3)'],
      env: process.env,
      ready: () => false,
    });
    await expect(start).rejects.toMatchObject({ code: 'child-not-ready' });
    await expect(start).rejects.toThrow(/keeps ending.*no such setting: FOO/s);
    await supervisor.stopAll();
  });

  test('a program that does not exist fails the start at once', async () => {
    const supervisor = await supervisorHere();
    const start = supervisor.start({ name: 'a', argv: ['/no/such/program'], env: process.env, ready: () => true });
    await expect(start).rejects.toMatchObject({ code: 'child-not-ready' });
    await supervisor.stopAll();
  });
});
