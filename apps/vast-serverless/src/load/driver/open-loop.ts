import { type Clock, sleep } from '@davit/ports';
import { unlessAborted } from './aborted.js';
import { Slots } from './slots.js';
import type { LoadStop, StopSwitch } from './stop.js';

/** One request that is due. Times are milliseconds since 1970. */
export interface Due {
  /** 0 and up. */
  readonly index: number;
  readonly scheduledAtMs: number;
}

/** What became of it; `isOk` tells the switch, null when it was given up. */
export interface Settled<Result> {
  readonly isOk: boolean | null;
  readonly result: Result;
}

export interface OpenLoopParts<Result> {
  readonly clock: Clock;
  /** When requests are due, milliseconds since the start, in order. */
  readonly due: Iterable<number>;
  /** It lasts so long, whenever the last request is due. */
  readonly lengthMs: number;
  readonly maxInFlight: number;
  /** Instant of 0 ms, milliseconds since 1970. Default: now. */
  readonly startAtMs?: number;
  readonly stop: StopSwitch;
  /** Ends the sending in good order: what is under way is waited for. */
  readonly finish?: AbortSignal;
  send(due: Due, signal: AbortSignal): Promise<Settled<Result>>;
}

export interface OpenLoopEnd<Result> {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** In the order in which they ended. */
  readonly results: readonly Result[];
  /** Sent, and given up before they ended. */
  readonly unfinished: number;
  /** Due, and never sent, since the load was stopped before there was room. */
  readonly unsent: number;
  /** Null when it went to its end. */
  readonly stopped: LoadStop | null;
}

/** After a stop so long is waited for requests that are cut. */
const CUT_MS = 500;

/**
 * Sends by schedule, whatever comes back: a server that stalls gets the next request all the same, and what cannot be sent at
 * once, as too many are under way, keeps the time at which it was due.
 */
export async function openLoop<Result>(parts: OpenLoopParts<Result>): Promise<OpenLoopEnd<Result>> {
  const { clock, stop } = parts;
  const startedAtMs = parts.startAtMs ?? clock.nowMs();
  const startMs = clock.monotonicMs() + startedAtMs - clock.nowMs();
  const slots = new Slots(parts.maxInFlight);
  const results: Result[] = [];
  const state = { begun: 0, over: false, faults: [] as unknown[] };
  const run = async (due: Due): Promise<void> => {
    state.begun += 1;
    const { isOk, result } = await parts.send(due, stop.signal);
    if (isOk === null || state.over) return;
    results.push(result);
    stop.settled(isOk);
  };
  const failed = (fault: unknown): void => {
    state.faults.push(fault);
    stop.stop({ reason: 'errors', detail: 'the driver itself failed' });
  };
  const waits = parts.finish === undefined ? stop.signal : AbortSignal.any([stop.signal, parts.finish]);
  const until = async (dueMs: number): Promise<boolean> => {
    const waitMs = startMs + dueMs - clock.monotonicMs();
    if (waitMs > 0) await sleep(clock, waitMs, waits);
    return !waits.aborted;
  };
  let index = 0;
  for (const dueMs of parts.due) {
    if (!(await until(dueMs)) || !stop.admits()) break;
    const due = { index: index++, scheduledAtMs: startedAtMs + dueMs };
    slots.add(() => run(due).catch(failed));
  }
  if (stop.reason === null) await until(parts.lengthMs);
  const unsent = await settle(slots, parts);
  state.over = true;
  if (state.faults.length > 0) throw state.faults[0];
  return {
    ...{ startedAtMs, endedAtMs: clock.nowMs(), results, unsent, stopped: stop.reason },
    unfinished: state.begun - results.length,
  };
}

/** Waits for what is under way; after a stop only as long as cutting it takes. How many never got their turn. */
async function settle<Result>(slots: Slots, { clock, stop }: OpenLoopParts<Result>): Promise<number> {
  const idle = slots.idle();
  if (!stop.signal.aborted) await unlessAborted(stop.signal, idle);
  if (!stop.signal.aborted) return 0;
  const unsent = slots.dropWaiting();
  await Promise.race([idle, sleep(clock, CUT_MS)]);
  return unsent;
}
