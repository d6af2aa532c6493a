import { readFileSync } from 'node:fs';

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
