import { type EvidenceOf, MOST_BASELINE_SUMMARIES, type WindowSummary } from '@davit/contracts';
import { canonicalJson } from '../../canonical.js';
import type { ReceiptSources } from '../receipt.js';
import { type ReceiptFinding, differences, finding } from './finding.js';
import { countedIn, saidBy } from './window-figures.js';

/** What was recorded of production is what its samples give. What a verdict compares with is what was recorded of production before it was changed, window by window. */
export function baselineFindings({ events, evidence }: ReceiptSources): readonly ReceiptFinding[] {
  const findings: ReceiptFinding[] = [];
  let recorded: EvidenceOf<'baseline'>['windows'] | undefined;
  for (const event of events) {
    if (event.type === 'davit.rollout.baseline-recorded') {
      const kept = evidence.find(({ digest }) => digest === event.data.evidenceDigest);
      recorded = kept?.kind === 'baseline' ? kept.value.windows : undefined;
      const where = `event ${event.position}`;
      const paths = recorded === undefined ? [] : misread(event.data.windows, recorded);
      for (const path of paths)
        findings.push(finding('baseline', `${where}, window ${path}`, 'is not what the samples give'));
    }
    if (event.type !== 'davit.rollout.verdict-reached') continue;
    const bundle = evidence.find(({ digest }) => digest === event.data.bundleDigest);
    if (bundle?.kind !== 'verdict-bundle') continue;
    const objection = objectionTo(bundle.value.baseline, recorded);
    if (objection !== undefined) findings.push(finding('baseline', `verdict, event ${event.position}`, objection));
  }
  return findings;
}

type Windows = EvidenceOf<'baseline'>['windows'];

/** Where the summaries of an event differ from what its windows give; windows in which nothing could be observed have none. */
function misread(told: readonly WindowSummary[], recorded: Windows): readonly string[] {
  const seen = recorded.flatMap((window) => (window === null ? [] : [window])).slice(-MOST_BASELINE_SUMMARIES);
  return differences(told.map(saidBy), seen.map(countedIn));
}

function objectionTo(compared: Windows, recorded: Windows | undefined): string | undefined {
  if (recorded === undefined) return 'compares with a baseline that no evidence records';
  if (compared.length !== recorded.length)
    return `compares with ${compared.length} windows of a baseline, and ${recorded.length} were recorded`;
  const other = compared.findIndex((window, index) => canonicalJson(window) !== canonicalJson(recorded[index] ?? null));
  return other < 0 ? undefined : `window ${other + 1} of its baseline is not the one that was recorded`;
}
