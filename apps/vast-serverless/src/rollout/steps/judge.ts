import type { NewEvent } from '@davit/contracts';
import {
  type ContractEvidence,
  DEFAULT_CONTRACT_POLICY,
  judge,
  type RolloutVerdict,
  veiledContract,
  VERDICTS,
  type Window,
} from '@davit/domain';
import type { ReconcileResult } from '@davit/reconcile';
import { askPrompts, recordedOf } from '../canary/ask-prompts.js';
import { breachSeen } from '../production/breach.js';
import { bundleOf } from '../production/bundle.js';
import { lookAtProduction } from '../production/look.js';
import { keepSampling, sampledSince } from '../production/sampling.js';
import { productionTarget } from '../production/target.js';
import { isNotSeen } from '../production/workers.js';
import { promptsOf } from '../prompts.js';
import { cut, type Turn } from '../turn.js';
import { told } from './observe.js';

/** A verdict of `wait` is kept this many times at most, evenly over the time that there is: whoever takes over goes on from there. */
const KEPT_WAITS = 20;

/** Judges by everything that was seen since all workers were on the candidate. It may be asked as often as one likes. */
export async function judgeCandidate(turn: Turn): Promise<ReconcileResult> {
  const { state, parts } = turn;
  if (state.phase.name !== 'judging') return turn.soon;
  await keepSampling(turn);
  const look = await lookAtProduction(turn);
  if (isNotSeen(look)) return turn.notKnown('workers', look);
  const breach = breachSeen(turn);
  if (breach.events.length > 0) return told(turn, [...look.events, ...breach.events]);
  const baseline = await baselineOf(turn);
  // What was seen while requests queued was answered by the pause.
  const sinceMs = Math.max(Date.parse(state.phase.convergedAt), Date.parse(state.resumedAt ?? state.startedAt));
  const judgedBefore = (await keptBefore(turn)).filter((window) => window === null || window.fromMs >= sinceMs);
  const candidate = [...judgedBefore, ...sampledSince(turn, sinceMs).map(({ window }) => window)];
  if (!baseline || candidate.length === 0) return told(turn, look.events);
  const contract = contractOf(turn);
  const compared = { baseline, candidate: distinct(candidate), startedAtMs: sinceMs, contract };
  const bundle = bundleOf(turn, compared);
  const verdict = judge(bundle);
  if (!isWorthTelling(turn, verdict) || (breach.isSuspected && isOfWaits(verdict))) return told(turn, look.events);
  const kept = await parts.evidence.put('verdict-bundle', bundle);
  return told(turn, [...look.events, reached(turn, judge(kept.value), kept.digest)]);
}

/** Requests that queue are late as well: that they queue has an answer of its own, which comes first. */
const isOfWaits = ({ verdict, reasons }: RolloutVerdict): boolean =>
  verdict === 'reject' && reasons.every(({ rule, outcome }) => outcome !== 'broken' || rule.startsWith('latency-'));

/** Acceptance and rejection decide at once; a `wait` is told from time to time. */
function isWorthTelling(turn: Turn, { verdict }: RolloutVerdict): boolean {
  const { phase } = turn.state;
  if (phase.name !== 'judging' || verdict !== 'wait') return true;
  return turn.nowMs - Date.parse(phase.toldAt) >= spacingMsOf(turn);
}

const spacingMsOf = ({ plan }: Turn): number => plan.policy.acceptance.deadlineMs / KEPT_WAITS;

function reached({ state }: Turn, said: RolloutVerdict, bundleDigest: string): NewEvent {
  const { verdict, alpha, beta, samples, reasons } = said;
  const others = VERDICTS.filter((other) => other !== verdict);
  const because = reasons[0] ? `${reasons[0].rule} is ${reasons[0].outcome}: ${reasons[0].detail}` : 'no rule applies';
  return {
    type: 'davit.rollout.verdict-reached',
    data: {
      ...{ rolloutId: state.id, verdict, alpha, beta, samples: { ...samples }, bundleDigest },
      reasons: reasons.slice(0, 64).map((reason) => ({
        ...{ ...reason, detail: cut(reason.detail), figures: { ...reason.figures } },
      })),
      rejectedAlternatives: others.map((other) => ({ verdict: other, because: because.slice(0, 500) })),
    },
  };
}

type Windows = readonly (Window | null)[];

/** Evidence never changes, so it is read once. */
async function baselineOf({ state, parts, jobs }: Turn): Promise<Windows | undefined> {
  const read = jobs.note<{ windows?: Windows }>(state.id, 'windows of the baseline', () => ({}));
  if (read.windows || state.baseline === null) return read.windows;
  const kept = await parts.evidence.get(state.baseline);
  if (kept?.kind === 'baseline' && 'windows' in kept.value) read.windows = kept.value.windows;
  return read.windows;
}

/** Windows that the last verdict rested on: this process may not have seen them itself. */
async function keptBefore({ state, parts, jobs }: Turn): Promise<Windows> {
  const digest = state.phase.name === 'judging' ? state.phase.verdict?.bundleDigest : undefined;
  const read = jobs.note<{ digest?: string; windows: Windows }>(state.id, 'windows judged', () => ({ windows: [] }));
  if (digest === undefined || read.digest === digest) return read.windows;
  const kept = await parts.evidence.get(digest);
  read.windows = kept?.kind === 'verdict-bundle' && 'candidate' in kept.value ? kept.value.candidate : [];
  read.digest = digest;
  return read.windows;
}

/** Each stretch of time once, in order; time that nobody saw is no window. */
function distinct(windows: readonly (Window | null)[]): readonly Window[] {
  const byStart = new Map(windows.flatMap((window) => (window === null ? [] : [[window.fromMs, window] as const])));
  let endMs = 0;
  return [...byStart.values()]
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .filter(({ fromMs, toMs }) => {
      const isNew = fromMs >= endMs;
      if (isNew) endMs = toMs;
      return isNew;
    });
}

/**
 * What production answers to what answers were recorded of, asked again as often as a verdict may be told; null until it has answered. It is
 * asked beside the passes: who waits for an answer sees nothing else.
 */
function contractOf(turn: Turn): ContractEvidence | null {
  const { state, jobs, nowMs } = turn;
  const known = jobs.note<{ contract: ContractEvidence | null }>(state.id, 'contract', () => ({ contract: null }));
  const asked = jobs.get<number, ContractEvidence | null>(state.id, 'contract');
  if (asked && asked.end === null) return known.contract;
  if (asked?.end?.ok === true) known.contract = asked.end.result;
  if (!asked || known.contract === null || nowMs - asked.data >= spacingMsOf(turn))
    jobs.begin(state.id, 'contract', nowMs, () => askContract(turn));
  return known.contract;
}

async function askContract(turn: Turn): Promise<ContractEvidence | null> {
  const target = await productionTarget(turn);
  const prompts = await promptsOf(turn);
  if (isNotSeen(target) || !prompts) return null;
  const { asked, recorded } = recordedOf(prompts);
  const answers = await askPrompts(turn.parts, target, asked);
  const observed = answers.flatMap((answer) => answer.observed ?? []);
  if (observed.length < recorded.length) return null;
  const policy = { ...DEFAULT_CONTRACT_POLICY, expectedModel: turn.servedName };
  return veiledContract({ policy, recorded, observed });
}
