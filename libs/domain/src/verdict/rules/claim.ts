import { type VerdictReason } from '../bundle.js';
import { type CountedClaim } from '../evidence/evidence.js';
import { type Levels } from '../evidence/levels.js';
import { type Look } from '../evidence/look.js';
import { type Count, NO_REGRESSION, type Regression } from '../evidence/process.js';
import { type VerdictPolicy } from '../policy.js';
import { percent, reason } from './reason.js';

/** What the evidence for and against one claim has come to. */
type Weighed = {
  readonly whole: number;
  readonly closing: number;
  readonly regression: Regression;
};

/** One objective, or one comparison with the baseline. */
export function claimReason(claim: CountedClaim, look: Look, levels: Levels, policy: VerdictPolicy): VerdictReason {
  const weighed = weigh(claim, look);
  const figures = figuresOf(claim, look, levels, weighed);
  const said = saying(claim, look);
  const { whole, closing, regression } = weighed;
  if (regression.peak >= levels.reject.candidate) return reason(claim.rule, 'broken', `${said}: proven worse`, figures);
  if (claim.accept === null)
    return reason(claim.rule, 'open', `${claim.metric.name}: there is too little to compare with`, figures);
  if (whole < levels.accept.candidate) return reason(claim.rule, 'open', `${said}: not proven yet`, figures);
  if (closing < levels.accept.candidate)
    return reason(claim.rule, 'open', `${said}: not proven yet by the closing part alone`, figures);
  if (regression.suspicion >= Math.log(policy.suspicion))
    return reason(claim.rule, 'open', `${said}: held back, for it may have become worse of late`, figures);
  return reason(claim.rule, 'met', `${said}: proven`, figures);
}

const weigh = ({ support, regressions }: CountedClaim, { windows, closing }: Look): Weighed => ({
  whole: support(0, windows.length),
  closing: support(closing, windows.length),
  regression: regressions[windows.length - 1] ?? NO_REGRESSION,
});

const sum = (counts: readonly Count[]): Count => ({
  count: counts.reduce((total, { count }) => total + count, 0),
  of: counts.reduce((total, { of }) => total + of, 0),
});

function saying({ metric, accept, counts }: CountedClaim, look: Look): string {
  if (accept === null) return metric.name;
  const { count, of } = sum(counts.slice(0, look.windows.length));
  const beyond = accept.thresholdMs === null ? 'failed' : `took longer than ${Math.round(accept.thresholdMs)} ms`;
  return `${metric.name}: ${count} of ${of} ${beyond}, ${percent(accept.limit)} may`;
}

function figuresOf(
  { accept, reject, counts }: CountedClaim,
  look: Look,
  levels: Levels,
  { whole, closing, regression }: Weighed,
): VerdictReason['figures'] {
  const all = sum(counts.slice(0, look.windows.length));
  const last = sum(counts.slice(look.closing, look.windows.length));
  const since = regression.peakAt < 0 ? undefined : look.windows[regression.peakAt];
  return {
    limit: accept?.limit ?? null,
    thresholdMs: accept?.thresholdMs ?? null,
    requests: all.of,
    beyond: all.count,
    closingRequests: last.of,
    closingBeyond: last.count,
    evidence: whole,
    closingEvidence: closing,
    evidenceNeeded: levels.accept.candidate,
    rejectLimit: reject?.limit ?? null,
    rejectThresholdMs: reject?.thresholdMs ?? null,
    regression: regression.peak,
    regressionNeeded: levels.reject.candidate,
    suspicion: regression.suspicion,
    regressionSeenAtMs: since?.toMs ?? null,
  };
}
