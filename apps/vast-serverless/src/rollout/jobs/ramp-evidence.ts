import type { NewEvent } from '@davit/contracts';
import { convergenceOf, type RampRecord } from '@davit/domain';
import type { LoadRun } from '../../load/run-load.js';
import { rampRecord } from '../../load/ramp/ramp.js';
import { cut, type Turn } from '../turn.js';

export interface EndedRamp {
  readonly ramp: number;
  readonly attempt: number;
  readonly profileDigest: string;
  readonly result: LoadRun;
}

/** Keeps what a ramp showed, and says what it came to. Whether the engine has settled is told by the last two ramps. */
export async function rampEvidence(turn: Turn, ended: EndedRamp): Promise<NewEvent> {
  const { state, parts } = turn;
  const { ramp, attempt, profileDigest, result } = ended;
  const record = rampRecord(ramp, result);
  const kept = await parts.evidence.put('load-run', {
    ...{ version: 1, profileDigest, ramp, attempt, samples: result.requests, fleet: record },
    steps: result.steps.map(({ step, window }) => ({
      ...{ requestsPerSecond: step.requestsPerSecond, workers: window.workers, spend: window.spend },
      ...{ fromMs: Date.parse(window.from), toMs: Date.parse(window.to) },
    })),
  });
  const before = await recordBefore(turn, ramp);
  const targetMs = (state.bounds?.targetQueueTimeS ?? 0) * 1_000;
  const { converged, criteria } = convergenceOf([...before, record], targetMs);
  return {
    type: 'davit.rollout.load-profile-run',
    data: {
      ...{ rolloutId: state.id, ramp, attempt, converged, evidenceDigest: kept.digest },
      steps: result.steps.map(({ step, window }) => ({ requestsPerSecond: step.requestsPerSecond, window })),
      criterion: cut(criteria.map(({ name, outcome, detail }) => `${name} ${outcome}: ${detail}`).join('; ')).slice(
        0,
        500,
      ),
    },
  };
}

/** The ramp before, from what was kept of it: whoever ran it may be gone. */
async function recordBefore({ state, parts }: Turn, ramp: number): Promise<readonly RampRecord[]> {
  const run = state.phase.name === 'ramping' ? state.phase.run.at(-1) : undefined;
  const kept = run && (await parts.evidence.get(run.evidenceDigest));
  if (!run || kept?.kind !== 'load-run' || !('fleet' in kept.value) || !kept.value.fleet) return [];
  return run.ramp < ramp ? [{ ramp: run.ramp, ...kept.value.fleet }] : [];
}
