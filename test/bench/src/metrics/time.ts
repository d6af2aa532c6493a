import { collect } from '../collect.js';

/** Time of the processor that one measurement takes at least; shorter work is repeated. */
const BATCH_MS = 10;

/**
 * How long two ways to do the same take: lower quartiles of batches by turns. Time of the processor, not of the clock, so that other work
 * on the machine counts for little; what one leaves behind is collected before it is the other's turn.
 */
export function compareMs(
  one: () => unknown,
  other: () => unknown,
  forMs: number,
): { readonly one: number; readonly other: number } {
  const [timesOne, timesOther] = [timesOf(one), timesOf(other)];
  const durations: { readonly one: number[]; readonly other: number[] } = { one: [], other: [] };
  for (let spent = 0; spent < forMs || durations.one.length < 3;) {
    collect();
    const first = cpuMs(one, timesOne);
    collect();
    const second = cpuMs(other, timesOther);
    durations.one.push(first / timesOne);
    durations.other.push(second / timesOther);
    spent += first + second;
  }
  return { one: quartile(durations.one), other: quartile(durations.other) };
}

export function cpuTimeMs(work: () => unknown, forMs: number): number {
  const times = timesOf(work);
  const durations: number[] = [];
  for (let spent = 0; spent < forMs || durations.length < 3;) {
    const took = cpuMs(work, times);
    durations.push(took / times);
    spent += took;
  }
  return quartile(durations);
}

/** How often some work fits into a batch, once it runs as fast as it will. */
function timesOf(work: () => unknown): number {
  let times = 1;
  for (let spent = 0; spent < BATCH_MS;) {
    spent = cpuMs(work, times);
    if (spent < BATCH_MS) times *= 2;
  }
  return times;
}

function cpuMs(work: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let turn = 0; turn < times; turn++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Below which a quarter lies: what the machine's other work adds is never taken away again. */
const quartile = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? Number.NaN;
