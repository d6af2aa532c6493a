import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Notes a process that a test started, so that it is ended even when the test worker is killed. The form is that of
 * `scripts/lib/run-ledger.mjs`, which reads it: pid, start time (field 22 of `/proc/<pid>/stat`) and boot id.
 */
export function recordProcess(name: string, pid: number): void {
  const dir = process.env['DAVIT_TEST_LEDGER'];
  if (dir === undefined) return;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    writeFileSync(path.join(dir, `${name}.json`), JSON.stringify({ name, pid, startTime, bootId }));
  } catch {
    // Without /proc there is nothing to identify the process by; the environment mark of the run still finds it.
  }
}

/** The process has ended and needs no ending any more. */
export function forgetProcess(name: string): void {
  const dir = process.env['DAVIT_TEST_LEDGER'];
  if (dir !== undefined) rmSync(path.join(dir, `${name}.json`), { force: true });
}

/** This process's environment with the mark of the test run, by which its descendants are found and ended. */
export function markedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, DAVIT_RUN_TOKEN: process.env['DAVIT_TEST_TOKEN'] ?? '' };
}
