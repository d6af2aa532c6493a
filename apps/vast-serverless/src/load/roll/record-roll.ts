import type { LoadParts } from '../load-parts.js';
import type { RequestRecord } from '../record/request-record.js';
import { type SteadyQuestion, steadySteps } from '../baseline/record-baseline.js';
import { type LoadRun, runLoad } from '../run-load.js';
import { drainProof, type DrainProof } from './drain-proof.js';

export interface RollRecord {
  /** Every request of the time, with its workers and what they ran. */
  readonly requests: readonly RequestRecord[];
  readonly proof: DrainProof;
  readonly run: LoadRun;
}

/**
 * Sends at one rate while workers are rolled, until `finish` says that the roll is over, and proves from its own record
 * whether a worker that drained lost what it held.
 *
 * @param question `durationMs` is the longest time; `watch.revisionOf` tells which template a worker is on
 */
export async function recordRoll(parts: LoadParts, question: SteadyQuestion): Promise<RollRecord> {
  const run = await runLoad(parts, { ...question, steps: steadySteps(question) });
  return { run, requests: run.requests, proof: drainProof(run) };
}
