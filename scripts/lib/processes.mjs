import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A process that cannot be mistaken for a later one of the same pid.
 * @typedef {{ pid: number, startTime: string, bootId: string }} ProcessIdentity
 */

const hasProc = existsSync('/proc/self/stat');

/**
 * When a process started, in a form that is only good for comparing; undefined when there is none (a zombie counts as none).
 * On Linux it is field 22 of `/proc/<pid>/stat`: clock ticks since boot.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function startTimeOf(pid) {
  try {
    if (!hasProc)
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    const fields = statFields(pid);
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * The fields of `/proc/<pid>/stat` from the third one on; the second may itself hold spaces and brackets.
 * @param {number} pid
 */
function statFields(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Changes with every boot, so that a record from before one never matches. */
export function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * @param {number} pid
 * @returns {ProcessIdentity | undefined}
 */
export function identityOf(pid) {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime, bootId: bootId() };
}

/** @param {ProcessIdentity} identity */
export function isAlive(identity) {
  return identity.bootId === bootId() && startTimeOf(identity.pid) === identity.startTime;
}

/**
 * Every process whose environment holds the assignment, such as `DAVIT_RUN_TOKEN=…`; only of users this one may look at.
 * @param {string} assignment
 * @returns {ProcessIdentity[]}
 */
export function processesWithEnvironment(assignment) {
  if (!hasProc) return [];
  const found = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      if (!`\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${assignment}\0`)) continue;
    } catch {
      continue;
    }
    const identity = identityOf(pid);
    if (identity !== undefined) found.push(identity);
  }
  return found;
}

/**
 * Asks the processes and their groups to end, waits, then forces what is left. Only processes still the recorded ones are touched.
 * @param {readonly (ProcessIdentity & { signal?: NodeJS.Signals | undefined })[]} identities with the signal that asks each to end, SIGTERM unless said
 * @param {{ graceMs?: number }} [options]
 */
export async function endProcesses(identities, { graceMs = 8_000 } = {}) {
  const alive = () => identities.filter(isAlive);
  for (const identity of alive()) signalGroup(identity.pid, identity.signal ?? 'SIGTERM');
  if (await waitUntil(() => alive().length === 0, graceMs)) return;
  for (const identity of alive()) signalGroup(identity.pid, 'SIGKILL');
  await waitUntil(() => alive().length === 0, 5_000);
}

/**
 * Signals the group that the process leads, or the process alone when it leads none.
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(pid, signal) {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // No such group: the process alone is tried; no such process: it is already gone.
    }
  }
}

/**
 * @param {() => boolean | Promise<boolean>} condition
 * @param {number} timeoutMs
 * @param {number} [everyMs]
 * @returns {Promise<boolean>} whether the condition came true in time
 */
export async function waitUntil(condition, timeoutMs, everyMs = 25) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await delay(everyMs);
  }
}
