import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Linux counts processor time in these, whatever its own clock does (proc(5), `sysconf(_SC_CLK_TCK)`). */
const TICK_MS = 10;

/**
 * Processor time that a process has used so far, of all its threads, in milliseconds: what work costs whatever else the machine does.
 * NaN where the system does not tell.
 */
export function processorMs(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything; utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** A process that used less of a second than this does nothing but look around. */
const REST_MS = 100;
const SECOND_MS = 1_000;

/** Waits until a process has nothing left to do, since what it still does would count as the cost of what is asked of it. */
export async function atRest(pid: number | undefined): Promise<void> {
  for (;;) {
    const before = processorMs(pid);
    await delay(SECOND_MS);
    if (!(processorMs(pid) - before >= REST_MS)) return;
  }
}
