import { type EventData, type EventOf, counted } from '@davit/contracts';
import { type Phrase, type Told, joined } from './line.js';

/** What a rollout on evidence did, saw and decided. */
export function toldOfRollout(event: EventOf<'rollout'>): Told {
  const { rolloutId } = event.data;
  const name = event.type.slice('davit.rollout.'.length).replaceAll('-', ' ');
  const text = joined(`rollout ${rolloutId}: ${name}`, ...detailsOf(event));
  return event.type === 'davit.rollout.verdict-reached'
    ? { topic: 'verdict', text, ...weighed(event.data) }
    : { topic: 'rollout', text };
}

/** What the verdict rests on, and what it was not. */
const weighed = ({
  reasons,
  rejectedAlternatives,
}: EventData<'davit.rollout.verdict-reached'>): Pick<Told, 'reasons' | 'alternatives'> => ({
  reasons: reasons.map((one) => ({ ...one, figures: { ...one.figures } })),
  alternatives: rejectedAlternatives.map(({ verdict, because }) => ({ outcome: verdict, reason: because })),
});

function detailsOf(event: EventOf<'rollout'>): readonly Phrase[] {
  switch (event.type) {
    case 'davit.rollout.started':
      return [
        `revision ${event.data.revision} after ${event.data.fromRevision}, back to ${named(event.data.rollback)}`,
      ];
    case 'davit.rollout.template-recorded':
      return [named(event.data.template), `by ${event.data.resolvedBy}`];
    case 'davit.rollout.canary-requested':
    case 'davit.rollout.canary-removed':
      return [event.data.externalKey];
    case 'davit.rollout.candidate-failed':
      return [`at ${event.data.step}`, event.data.detail];
    case 'davit.rollout.load-profile-run':
      return [`ramp ${event.data.ramp} of 3`, event.data.criterion];
    case 'davit.rollout.load-aborted':
      return [`ramp ${event.data.ramp}`, event.data.reason, event.data.detail];
    case 'davit.rollout.approval-requested':
      return [
        `${named(event.data.from)} to ${named(event.data.to)}`,
        `evidence ${event.data.evidenceDigest}`,
        `until ${event.data.deadlineAt}`,
      ];
    case 'davit.rollout.update-attempted':
      return [`${named(event.data.from)} to ${named(event.data.to)}`, `approved by ${event.data.approval.by}`];
    case 'davit.rollout.worker-observed': {
      const { worker, evidence } = event.data;
      return [`worker ${worker.workerId} is ${worker.status}, on ${worker.on}, by ${evidence}`];
    }
    case 'davit.rollout.verdict-reached': {
      const { verdict, reasons, bundleDigest } = event.data;
      const [first] = reasons;
      return [verdict, first && `${first.rule}: ${first.detail}`, `bundle ${bundleDigest}`];
    }
    case 'davit.rollout.withdrawn':
    case 'davit.rollout.rollback-attempted':
    case 'davit.rollout.rejected':
    case 'davit.rollout.rolled-back':
      return [event.data.reason, event.data.detail];
    case 'davit.rollout.accepted':
      return [`${counted(event.data.workers, 'worker')} on ${named(event.data.template)}`];
    default:
      return 'detail' in event.data ? [event.data.detail] : [];
  }
}

const named = ({ templateId, templateHash }: { readonly templateId: number; readonly templateHash: string }): string =>
  `template ${templateId} (${templateHash.slice(0, 12)})`;
