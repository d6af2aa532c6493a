import { type VerdictReason } from '../bundle.js';
import { type UsableWindow } from '../counts/usable.js';
import { type Evidence } from '../evidence/evidence.js';
import { type Look } from '../evidence/look.js';
import { minutes, percent, reason } from './reason.js';

/** Whether enough was observed at all, for long enough and without holes: what is missing is never taken for good. */
export const observationReasons = (evidence: Evidence, look: Look): readonly VerdictReason[] => [
  durationReason(evidence, look),
  samplesReason(evidence, look),
  coverageReason(evidence, look),
  ...(evidence.bundle.policy.compare.length > 0 ? [baselineReason(evidence)] : []),
];

function durationReason({ bundle }: Evidence, { elapsedMs }: Look): VerdictReason {
  const { minDurationMs } = bundle.policy;
  const detail = `observed for ${minutes(elapsedMs)}, ${minutes(minDurationMs)} are needed`;
  return reason('duration', elapsedMs >= minDurationMs ? 'met' : 'open', detail, { elapsedMs, minDurationMs });
}

export const requestsOf = (windows: readonly UsableWindow[]): number =>
  windows.reduce((sum, { requests }) => sum + requests, 0);

function samplesReason({ bundle }: Evidence, { windows, closing }: Look): VerdictReason {
  const { minRequests, minWindows } = bundle.policy;
  const requests = requestsOf(windows);
  const inClosing = windows.length - closing;
  const isEnough = requests >= minRequests.candidate && inClosing >= minWindows;
  const detail = `${requests} requests of the candidate (${minRequests.candidate} needed), ${inClosing} windows of the closing part (${minWindows} needed)`;
  const figures = { requests, minRequests: minRequests.candidate, closingWindows: inClosing, minWindows };
  return reason('samples', isEnough ? 'met' : 'open', detail, figures);
}

const extentOf = (windows: readonly UsableWindow[]): number =>
  windows.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);

function coverageReason({ bundle, candidate }: Evidence, look: Look): VerdictReason {
  const { minCoverage } = bundle.policy;
  const { elapsedMs, windows, closing, closingFromMs } = look;
  const whole = elapsedMs > 0 ? extentOf(windows) / elapsedMs : 0;
  const last = elapsedMs > closingFromMs ? extentOf(windows.slice(closing)) / (elapsedMs - closingFromMs) : 0;
  const isEnough = whole >= minCoverage && last >= minCoverage;
  const problems = problemsOf(candidate.unusable);
  const detail = `usable windows cover ${percent(whole)} of the time and ${percent(last)} of the closing part, ${percent(minCoverage)} needed${problems}`;
  const figures = { coverage: whole, closingCoverage: last, minCoverage, ...candidate.unusable };
  return reason('coverage', isEnough ? 'met' : 'open', detail, figures);
}

const problemsOf = (unusable: Readonly<Record<string, number>>): string => {
  const named = Object.entries(unusable).map(([problem, count]) => `${count} × ${problem}`);
  return named.length === 0 ? '' : `; not used: ${named.join(', ')}`;
};

function baselineReason({ bundle, baseline }: Evidence): VerdictReason {
  const { minRequests, minWindows, minCoverage } = bundle.policy;
  const { usable, unusable } = baseline;
  const requests = requestsOf(usable);
  const extent = (usable.at(-1)?.toMs ?? 0) - (usable[0]?.fromMs ?? 0);
  const coverage = extent > 0 ? extentOf(usable) / extent : 0;
  const isEnough = requests >= minRequests.baseline && usable.length >= minWindows && coverage >= minCoverage;
  const detail = `${requests} requests of the baseline (${minRequests.baseline} needed) in ${usable.length} windows (${minWindows} needed)${problemsOf(unusable)}`;
  const figures = { requests, minRequests: minRequests.baseline, windows: usable.length, minWindows, coverage };
  return reason('baseline', isEnough ? 'met' : 'open', detail, { ...figures, ...unusable });
}
