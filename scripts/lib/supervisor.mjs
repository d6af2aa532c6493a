import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses, identityOf, signalGroup, waitUntil } from './processes.mjs';
import { RunLedger } from './run-ledger.mjs';
import { SetupError } from './say.mjs';

/**
 * @typedef {object} ChildSpec
 * @property {string} name also the name of its log file
 * @property {readonly string[]} argv program first
 * @property {NodeJS.ProcessEnv} env
 * @property {{ uid: number, gid: number } | undefined} [account]
 * @property {() => boolean | Promise<boolean>} ready asked until it says true
 * @property {number} [readyTimeoutMs] default 60 000
 * @property {NodeJS.Signals} [stopSignal] default SIGTERM
 */

/**
 * @typedef {object} Child
 * @property {ChildSpec} spec
 * @property {import('node:child_process').ChildProcess | undefined} process
 * @property {import('./processes.mjs').ProcessIdentity | undefined} identity
 * @property {boolean} wanted false while it is meant to be down
 * @property {number} crashes in a row
 * @property {number} startedAt
 */

const BACKOFF_MS = { first: 250, most: 10_000, forgetAfter: 30_000 };
const GIVE_UP_AFTER = 3;
const MAX_LOG_BYTES = 20 * 1024 * 1024;

/** Starts processes, starts them again when they crash, and ends them all; their whole process groups. */
export class Supervisor {
  /** @type {Map<string, Child>} in order of start */
  #children = new Map();
  #stopping = false;

  /**
   * @param {{ ledger: RunLedger, logDir: string, tell: (text: string) => void, graceMs?: number }} options
   */
  constructor({ ledger, logDir, tell, graceMs = 8_000 }) {
    this.ledger = ledger;
    this.logDir = logDir;
    this.tell = tell;
    this.graceMs = graceMs;
    mkdirSync(logDir, { recursive: true });
  }

  /**
   * Starts a child and waits until it is ready.
   * @param {ChildSpec} spec
   * @throws {SetupError} `child-not-ready`, with the end of its log
   */
  async start(spec) {
    const child = { spec, process: undefined, identity: undefined, wanted: true, crashes: 0, startedAt: 0 };
    this.#children.set(spec.name, child);
    this.#spawn(child);
    await this.#untilReady(child, true);
  }

  /** @param {string} name */
  pidOf(name) {
    return this.#child(name).identity?.pid;
  }

  /**
   * Sends a signal and lets the child deal with it; a crash that follows is mended as any other.
   * @param {string} name
   * @param {NodeJS.Signals} signal
   */
  signal(name, signal) {
    const pid = this.pidOf(name);
    if (pid !== undefined) signalGroup(pid, signal);
  }

  /**
   * Ends a child, which stays down until `restart`.
   * @param {string} name
   * @param {NodeJS.Signals} [signal] default: its stop signal; SIGKILL gives it no chance to tidy up
   */
  async stop(name, signal) {
    const child = this.#child(name);
    child.wanted = false;
    await this.#end(child, signal);
  }

  /** @param {string} name */
  async restart(name) {
    const child = this.#child(name);
    await this.stop(name);
    child.wanted = true;
    child.crashes = 0;
    this.#spawn(child);
    await this.#untilReady(child, false);
  }

  /**
   * Ends every child, in groups one after the other: what depends on others goes first.
   * @param {readonly (readonly string[])[]} [order] names; what is not named goes first
   */
  async stopAll(order = []) {
    this.#stopping = true;
    const named = new Set(order.flat());
    const rest = [...this.#children.keys()].filter((name) => !named.has(name));
    for (const group of [rest, ...order]) {
      await Promise.all(group.filter((name) => this.#children.has(name)).map((name) => this.stop(name)));
    }
    await this.ledger.release();
  }

  /** Ends everything at once and without warning. */
  killAll() {
    this.#stopping = true;
    for (const child of this.#children.values())
      if (child.identity !== undefined) signalGroup(child.identity.pid, 'SIGKILL');
  }

  /** @param {string} name */
  #child(name) {
    const child = this.#children.get(name);
    if (child === undefined)
      throw new SetupError(
        'no-such-child',
        `There is no process "${name}". Known: ${[...this.#children.keys()].join(', ')}.`,
      );
    return child;
  }

  /** @param {Child} child */
  #spawn(child) {
    const { spec } = child;
    const [program = '', ...args] = spec.argv;
    const log = openLog(this.#logFile(spec.name));
    const started = spawn(program, args, {
      cwd: '/',
      env: { ...spec.env, DAVIT_RUN_TOKEN: this.ledger.token },
      detached: true,
      stdio: ['ignore', log, log],
      ...(spec.account ?? {}),
    });
    closeSync(log);
    child.process = started;
    child.startedAt = Date.now();
    child.identity = started.pid === undefined ? undefined : identityOf(started.pid);
    if (started.pid !== undefined) this.ledger.record(spec.name, started.pid, spec.stopSignal);
    started.once('error', (error) => {
      if (started.pid !== undefined) return;
      this.tell(`${spec.name} does not start: ${error.message}`);
      child.process = undefined;
      child.crashes = GIVE_UP_AFTER;
    });
    started.once('exit', (code, signal) => void this.#exited(child, started, code, signal));
  }

  /**
   * @param {Child} child
   * @param {import('node:child_process').ChildProcess} which
   * @param {number | null} code
   * @param {NodeJS.Signals | null} signal
   */
  async #exited(child, which, code, signal) {
    if (child.process !== which) return;
    // Whatever it had started itself must not outlive it.
    if (which.pid !== undefined) signalOnlyGroup(which.pid);
    child.process = undefined;
    child.identity = undefined;
    this.ledger.forget(child.spec.name);
    if (!child.wanted || this.#stopping) return;
    child.crashes = Date.now() - child.startedAt > BACKOFF_MS.forgetAfter ? 1 : child.crashes + 1;
    const pauseMs = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** (child.crashes - 1));
    this.tell(
      `${child.spec.name} ended (${signal ?? `code ${code}`}); starting it again in ${pauseMs} ms. Log: ${this.#logFile(child.spec.name)}`,
    );
    await delay(pauseMs, undefined, { ref: false });
    if (child.wanted && !this.#stopping && child.process === undefined) this.#spawn(child);
  }

  /**
   * @param {Child} child
   * @param {boolean} first whether an early end is final: a thing that never ran will not run the second time
   */
  async #untilReady(child, first) {
    const { name, ready, readyTimeoutMs = 60_000 } = child.spec;
    const giveUp = () => this.#stopping || !child.wanted || (first && child.crashes >= GIVE_UP_AFTER);
    const ok = await waitUntil(
      async () => giveUp() || (child.identity !== undefined && (await ready())),
      readyTimeoutMs,
    );
    if (ok && !giveUp()) return;
    const why =
      this.#stopping || !child.wanted
        ? 'was stopped before it was ready'
        : child.crashes > 0
          ? 'keeps ending'
          : `was not ready after ${readyTimeoutMs / 1000} s`;
    throw new SetupError(
      'child-not-ready',
      `${name} ${why}. The end of its log (${this.#logFile(name)}):\n${tail(this.#logFile(name))}`,
    );
  }

  /**
   * @param {Child} child
   * @param {NodeJS.Signals} [signal]
   */
  async #end(child, signal = child.spec.stopSignal ?? 'SIGTERM') {
    if (child.identity === undefined) return;
    await endProcesses([{ ...child.identity, signal }], { graceMs: this.graceMs });
    await waitUntil(() => child.process === undefined, 2_000, 5);
  }

  /** @param {string} name */
  #logFile(name) {
    return path.join(this.logDir, `${name}.log`);
  }
}

/** @param {number} pid */
function signalOnlyGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The usual case: nothing is left of the group.
  }
}

/** @param {string} file */
function openLog(file) {
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}

/** @param {string} file */
function tail(file, lines = 20) {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n') : '(no log)';
}
