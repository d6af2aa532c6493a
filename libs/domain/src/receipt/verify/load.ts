import type { EvidenceOf } from '@davit/contracts';
import { summarise } from '../../load/account.js';
import type { ReceiptSources } from '../receipt.js';
import { type ReceiptFinding, differences, finding } from './finding.js';
import { inSummary, saidBy } from './window-figures.js';

/** Counts the samples of each ramp again: what its event says of every step must come out. */
export function loadFindings({ events, evidence }: ReceiptSources): readonly ReceiptFinding[] {
  return events.flatMap((event): readonly ReceiptFinding[] => {
    if (event.type !== 'davit.rollout.load-profile-run') return [];
    const kept = evidence.find(({ digest }) => digest === event.data.evidenceDigest);
    if (kept?.kind !== 'load-run') return [];
    const where = `ramp ${event.data.ramp}, event ${event.position}`;
    const { ramp, attempt } = event.data;
    const isOther = kept.value.ramp !== ramp || kept.value.attempt !== attempt;
    return [
      ...(isOther ? [finding('load', where, 'its samples are of another ramp')] : []),
      ...event.data.steps.flatMap(({ window, requestsPerSecond }, index) => {
        const said = { ...saidBy(window), requestsPerSecond };
        const paths = differences(said, counted(kept.value, index));
        return paths.map((path) =>
          finding('load', `${where}, step ${index + 1}, ${path}`, 'is not what the samples give'),
        );
      }),
    ];
  });
}

function counted(run: EvidenceOf<'load-run'>, index: number): object {
  const step = run.steps[index];
  if (step === undefined) return {};
  const { fromMs, toMs, requestsPerSecond, workers, spend } = step;
  const samples = run.samples.filter(({ scheduledAtMs }) => scheduledAtMs >= fromMs && scheduledAtMs < toMs);
  const { due, outcomes, latencyMs, queueMs } = summarise(samples);
  return {
    ...{ from: Math.floor(fromMs), to: Math.floor(toMs), workers, spend, requestsPerSecond },
    ...inSummary({ sent: due, ok: outcomes.ok, errors: due - outcomes.ok, latencyMs, queueMs }),
  };
}
