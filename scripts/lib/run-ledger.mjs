import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endProcesses, identityOf, isAlive, processesWithEnvironment } from './processes.mjs';
import { SetupError } from './say.mjs';

/** @typedef {import('./processes.mjs').ProcessIdentity} ProcessIdentity */
/** @typedef {ProcessIdentity & { name: string, signal?: NodeJS.Signals | undefined }} Recorded */

const OWNER = 'owner.json';

/**
 * What runs for one purpose: a folder with one small file a process, so that several processes may record at once
 * and the next start finds what a killed one left behind.
 */
export class RunLedger {
  /** @type {string} marks every descendant of the run through its environment */
  token = randomUUID();

  /** @param {string} dir */
  constructor(dir) {
    this.dir = dir;
  }

  /**
   * Takes the folder for this process, after ending everything a dead owner left.
   * @returns {Promise<{ ended: string[] }>} names of what had to be ended
   * @throws {SetupError} `run-in-use` when the owner is alive
   */
  async claim() {
    const owner = readRecord(path.join(this.dir, OWNER));
    if (owner !== undefined && owner.pid !== process.pid && isAlive(owner)) {
      throw new SetupError(
        'run-in-use',
        `Another one is already running (process ${owner.pid}, recorded in ${this.dir}). Stop it with Ctrl-C in its terminal, or with: kill ${owner.pid}`,
      );
    }
    const ended = await endLeftOvers(this.dir);
    mkdirSync(this.dir, { recursive: true });
    const self = identityOf(process.pid);
    if (self === undefined) throw new Error('this process cannot see itself');
    writeRecord(path.join(this.dir, OWNER), { ...self, name: 'owner', token: this.token });
    return { ended };
  }

  /**
   * @param {string} name
   * @param {number} pid
   * @param {NodeJS.Signals} [signal] what asks it to end; SIGTERM unless said
   */
  record(name, pid, signal) {
    const identity = identityOf(pid);
    if (identity !== undefined) writeRecord(path.join(this.dir, `${name}.json`), { ...identity, name, signal });
  }

  /** @param {string} name */
  forget(name) {
    rmSync(path.join(this.dir, `${name}.json`), { force: true });
  }

  /** Ends what is still recorded and gives the folder up. */
  async release() {
    await endLeftOvers(this.dir);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/**
 * Ends what dead owners left under a folder of runs; live runs are not touched.
 * @param {string} runsDir
 * @returns {Promise<string[]>}
 */
export async function sweepDeadRuns(runsDir) {
  if (!existsSync(runsDir)) return [];
  const ended = [];
  for (const entry of readdirSync(runsDir)) {
    const dir = path.join(runsDir, entry);
    const owner = readRecord(path.join(dir, OWNER));
    if (owner === undefined || isAlive(owner)) continue;
    ended.push(...(await endLeftOvers(dir)));
    rmSync(dir, { recursive: true, force: true });
  }
  return ended;
}

/**
 * @param {string} dir
 * @returns {Promise<string[]>}
 */
async function endLeftOvers(dir) {
  if (!existsSync(dir)) return [];
  const records = readdirSync(dir)
    .filter((file) => file.endsWith('.json') && file !== OWNER)
    .flatMap((file) => readRecord(path.join(dir, file)) ?? []);
  const alive = records.filter(isAlive);
  const token = readRecord(path.join(dir, OWNER))?.token;
  const marked = token === undefined ? [] : processesWithEnvironment(`DAVIT_RUN_TOKEN=${token}`);
  const known = new Set(alive.map((record) => record.pid));
  await endProcesses([...alive, ...marked.filter((process) => !known.has(process.pid))]);
  for (const record of records) rmSync(path.join(dir, `${record.name}.json`), { force: true });
  return alive.map((record) => record.name);
}

/**
 * @param {string} file
 * @returns {(Recorded & { token?: string }) | undefined}
 */
function readRecord(file) {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value?.pid === 'number' && typeof value.startTime === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file
 * @param {object} value
 */
function writeRecord(file, value) {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(value));
  renameSync(temporary, file);
}
