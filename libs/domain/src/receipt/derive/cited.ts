import type { RecordedEvent } from '@davit/contracts';
import type { Cited, EvidenceEntry, ReceiptSources } from '../receipt.js';

export const citedOf = ({ position, time }: RecordedEvent): Cited => ({ position, at: time });

/** Evidence that an event names. */
export function digestsIn(event: RecordedEvent): readonly string[] {
  switch (event.type) {
    case 'davit.rollout.load-attempted':
      return [event.data.profileDigest];
    case 'davit.rollout.candidate-proved':
    case 'davit.rollout.candidate-failed':
    case 'davit.rollout.load-profile-run':
    case 'davit.rollout.baseline-recorded':
    case 'davit.rollout.approval-requested':
      return event.data.evidenceDigest === null ? [] : [event.data.evidenceDigest];
    case 'davit.rollout.verdict-reached':
      return [event.data.bundleDigest];
    default:
      return [];
  }
}

/** Every digest that is cited, in the order in which the log first names it. */
export function evidenceEntries({ events, evidence }: ReceiptSources): readonly EvidenceEntry[] {
  const cited = new Map<string, number[]>();
  for (const event of events) {
    for (const digest of digestsIn(event)) cited.set(digest, [...(cited.get(digest) ?? []), event.position]);
  }
  const kinds = new Map(evidence.map(({ digest, kind }) => [digest, kind]));
  return [...cited].map(([digest, citedAt]) => ({ digest, kind: kinds.get(digest) ?? null, citedAt }));
}
