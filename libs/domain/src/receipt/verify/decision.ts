import type { EventData } from '@davit/contracts';
import { canonicalJson } from '../../canonical.js';
import { recompute } from '../../verdict/recompute.js';
import type { ReceiptSources } from '../receipt.js';
import { type ReceiptFinding, finding } from './finding.js';

/** Judges every bundle again. */
export function verdictFindings({ events, evidence }: ReceiptSources): readonly ReceiptFinding[] {
  return events.flatMap((event): readonly ReceiptFinding[] => {
    if (event.type !== 'davit.rollout.verdict-reached') return [];
    const kept = evidence.find(({ digest }) => digest === event.data.bundleDigest);
    if (kept?.kind !== 'verdict-bundle') return [];
    const where = `verdict, event ${event.position}`;
    const { verdict, reasons, alpha, beta, samples, bundleDigest } = event.data;
    const again = recompute(kept.value, { verdict, reasons, alpha, beta, samples, digest: bundleDigest });
    switch (again.kind) {
      case 'same':
        return [];
      case 'other-bundle':
        return [finding('verdict', where, 'is of another bundle')];
      case 'other-answer': {
        const told = again.differs.map((field) => (field === 'verdict' ? `verdict (${again.verdict.verdict})` : field));
        return [finding('verdict', where, `the samples give another ${told.join(', ')}`)];
      }
    }
  });
}

/** Production was changed only on a word, and the word names exactly what was changed and what it rests on. */
export function approvalFindings({ events, evidence }: ReceiptSources): readonly ReceiptFinding[] {
  const asked = new Map<
    string,
    ReceiptSources['events'][number] & { readonly type: 'davit.rollout.approval-requested' }
  >();
  const words = new Map<string, string | null>();
  const findings: ReceiptFinding[] = [];
  for (const event of events) {
    if (event.type === 'davit.rollout.approval-requested') {
      asked.set(event.data.evidenceDigest, event);
      const kept = evidence.find(({ digest }) => digest === event.data.evidenceDigest);
      if (kept?.kind === 'change' && canonicalJson(askedOf(kept.value)) !== canonicalJson(askedOf(event.data))) {
        findings.push(
          finding('approval', `event ${event.position}`, 'asks for something else than its evidence names'),
        );
      }
    }
    if (event.type === 'davit.deployment.rollout-approved') words.set(event.id, event.data.evidenceDigest);
    if (event.type !== 'davit.rollout.update-attempted') continue;
    const { approval } = event.data;
    const where = `event ${event.position}`;
    const question = asked.get(approval.evidenceDigest);
    if (!question)
      findings.push(finding('approval', where, 'changes production on evidence that nobody was asked about'));
    else if (canonicalJson(changeOf(event.data)) !== canonicalJson(changeOf(question.data))) {
      findings.push(finding('approval', where, 'changes something else than was asked for'));
    }
    if (approval.by === 'operator' && words.get(approval.eventId) !== approval.evidenceDigest) {
      findings.push(finding('approval', where, 'no operator has approved this evidence before'));
    }
    if (approval.by === 'declaration' && question?.data.required === true) {
      findings.push(finding('approval', where, 'an operator had to be asked'));
    }
  }
  return findings;
}

type Asked = Omit<EventData<'davit.rollout.approval-requested'>, 'evidenceDigest' | 'required'>;

const askedOf = ({ rolloutId, workergroupId, from, to, bounds, worstCaseSpend, deadlineAt }: Asked) => ({
  ...{ rolloutId, workergroupId, from, to, bounds, worstCaseSpend, deadlineAt },
});

const changeOf = ({ from, to, bounds, workergroupId }: Omit<Asked, 'rolloutId' | 'worstCaseSpend' | 'deadlineAt'>) => ({
  ...{ from, to, bounds, workergroupId },
});
