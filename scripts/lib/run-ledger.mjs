import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcesses, identityOf, isAlive, processesWithEnvironment } from './processes.mjs';
import { SetupError } from './say.mjs';

/** @typedef {import('./processes.mjs').ProcessIdentity} ProcessIdentity */
/** @typedef {ProcessIdentity & { name: string, signal?: NodeJS.Signals | undefined }} Recorded */

const OWNER = 'owner.json';
const SCRATCH = 'scratch';

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
   * Takes the folder for this process, then ends everything a dead owner left.
   * @returns {Promise<{ ended: string[] }>} names of what had to be ended
   * @throws {SetupError} `run-in-use` when the owner is alive
   */
  async claim() {
    const file = path.join(this.dir, OWNER);
    const self = identityOf(process.pid);
    if (self === undefined) throw new Error('this process cannot see itself');
    mkdirSync(this.dir, { recursive: true });
    let former;
    for (;;) {
      const owner = readRecord(file);
      if (owner !== undefined && isAlive(owner)) throw inUse(owner.pid, this.dir);
      former = takeAway(file, owner) ?? former;
      if (createRecord(file, { ...self, name: 'owner', token: this.token })) break;
    }
    return { ended: await endLeftOvers(this.dir, former?.token) };
  }

  /**
   * Names a folder that is removed with the run, also when the run is killed.
   * @param {string} dir below the system's folder for temporary files
   */
  scratch(dir) {
    writeFileSync(path.join(this.dir, SCRATCH), dir);
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
    await endLeftOvers(this.dir, this.token);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/**
 * @param {number} pid
 * @param {string} dir
 */
function inUse(pid, dir) {
  return new SetupError(
    'run-in-use',
    `Another one is already running (process ${pid}, recorded in ${dir}). Stop it with Ctrl-C in its terminal, or with: kill ${pid}`,
  );
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
    const ledger = new RunLedger(dir);
    try {
      ended.push(...(await ledger.claim()).ended);
    } catch (error) {
      // Somebody else has just taken it over, and cleans up himself.
      if (error instanceof SetupError) continue;
      throw error;
    }
    await ledger.release();
  }
  return ended;
}

/**
 * @param {string} dir
 * @param {string | undefined} token mark of the processes that belonged to the run
 * @returns {Promise<string[]>}
 */
async function endLeftOvers(dir, token) {
  if (!existsSync(dir)) return [];
  const records = readdirSync(dir)
    .filter((file) => file.endsWith('.json') && file !== OWNER)
    .flatMap((file) => readRecord(path.join(dir, file)) ?? []);
  const alive = records.filter(isAlive);
  const marked = token === undefined ? [] : processesWithEnvironment(`DAVIT_RUN_TOKEN=${token}`);
  const known = new Set(alive.map((record) => record.pid));
  await endProcesses([...alive, ...marked.filter((process) => !known.has(process.pid))]);
  for (const record of records) rmSync(path.join(dir, `${record.name}.json`), { force: true });
  removeScratch(path.join(dir, SCRATCH));
  return alive.map((record) => record.name);
}

/** @param {string} file */
function removeScratch(file) {
  if (!existsSync(file)) return;
  const dir = readFileSync(file, 'utf8');
  if (path.dirname(dir) === tmpdir() && path.basename(dir).startsWith('davit-'))
    rmSync(dir, { recursive: true, force: true });
  rmSync(file, { force: true });
}

/**
 * Moves the record of a dead owner, or an unreadable one, out of the way. Of several that try, one succeeds; one that got hold of a newer record puts it back.
 * @param {string} file
 * @param {(Recorded & { token?: string }) | undefined} owner
 * @returns {(Recorded & { token?: string }) | undefined} the owner whose record is gone now
 */
function takeAway(file, owner) {
  if (!existsSync(file)) return undefined;
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, aside);
  } catch {
    return undefined;
  }
  const same = readRecord(aside)?.token === owner?.token;
  if (!same) linkIfAbsent(aside, file);
  rmSync(aside, { force: true });
  return same ? owner : undefined;
}

/**
 * @param {string} file
 * @param {object} value
 * @returns {boolean} false when there is a record already
 */
function createRecord(file, value) {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(value));
  const created = linkIfAbsent(temporary, file);
  rmSync(temporary, { force: true });
  return created;
}

/**
 * @param {string} existing
 * @param {string} name
 */
function linkIfAbsent(existing, name) {
  try {
    linkSync(existing, name);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
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
