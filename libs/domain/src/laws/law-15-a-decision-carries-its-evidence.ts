import type { EventOf, RecordedEvent } from '@davit/contracts';
import { canonicalJson } from '../canonical.js';
import { describePlacement } from '../placement/describe.js';
import { Advice, type RungEvidence, lifetimeMsOf } from './advice.js';
import { Origins } from './origins.js';
import { rolloutVerdicts } from './rollout-rules.js';
import { defineLaw } from './violation.js';

type Choice = EventOf<'replica'> & { readonly type: 'davit.replica.placed' | 'davit.replica.deferred' };

/**
 * Law 15: where a replica is placed or put off, there is evidence for every candidate, one of them chosen or none, none older
 * than it can be; each decision says up to where its writer had read, reaches an intent, and an end has a reason.
 */
export const law15 = defineLaw('law-15-a-decision-carries-its-evidence', (report, { clockSkewMs }) => {
  const origins = new Origins(report);
  const advice = new Advice();
  const rollouts = rolloutVerdicts(report);

  function seeChoice(event: Choice): void {
    const { replicaId, evidence } = event.data;
    const candidates = origins.candidates(replicaId);
    const isPlaced = event.type === 'davit.replica.placed';
    // Backends without a ladder have nothing to choose from, and say that nothing was chosen.
    const adopted = isPlaced && (event.data.adopted || (!candidates && event.data.placement === null));
    if (candidates && !adopted) {
      const judged = new Set(evidence.map(({ placement }) => canonicalJson(placement)));
      const missing = candidates.filter((placement) => !judged.has(canonicalJson(placement)));
      if (missing.length > 0)
        report(event, replicaId, `nothing is said of ${missing.map(describePlacement).join(', ')}`);
    }
    const chosen = evidence.filter(({ verdict }) => verdict === 'chosen');
    if (!isPlaced && chosen.length > 0) report(event, replicaId, 'put off although an offer was chosen');
    if (isPlaced && !adopted) seePlaced(event, chosen);
    for (const rung of evidence) seeAge(event, rung);
  }

  function seePlaced({ position, data }: Choice, chosen: readonly RungEvidence[]): void {
    const [first] = chosen;
    if (!('placement' in data)) return;
    if (!first || chosen.length > 1)
      report({ position }, data.replicaId, `placed with ${chosen.length} offers chosen instead of one`);
    else if (first.rung !== data.rung || canonicalJson(first.placement) !== canonicalJson(data.placement))
      report(
        { position },
        data.replicaId,
        `placed on another offer than ${describePlacement(first.placement)}, chosen`,
      );
  }

  function seeAge(event: Choice, rung: RungEvidence): void {
    const { observedAt, ageMs, state, placement } = rung;
    if (ageMs === undefined || ageMs === null) return;
    const wrong = (what: string, evidence: readonly number[] = []): void =>
      report(event, event.data.replicaId, `the signal of ${describePlacement(placement)} ${what}`, evidence);
    if (observedAt === null) {
      wrong(`is ${ageMs} ms old, and nobody said when it was observed`);
      return;
    }
    const possibleMs = Date.parse(event.time) - Date.parse(observedAt) + clockSkewMs;
    if (ageMs > possibleMs) wrong(`is called ${ageMs} ms old, older than one of ${observedAt} can be`);
    const assessed = advice.behind(event.data.replicaId, rung);
    if (assessed && state !== 'unknown' && ageMs >= lifetimeMsOf(assessed.signal))
      wrong(`counts as ${state} at an age of ${ageMs} ms, past its lifetime`, [assessed.position]);
  }

  function seeDecision(event: EventOf<'replica'>): void {
    switch (event.type) {
      case 'davit.replica.placed':
      case 'davit.replica.deferred':
        seeChoice(event);
        return;
      case 'davit.replica.drain-requested':
      case 'davit.replica.delete-requested':
      case 'davit.replica.failed':
        if (event.data.reason === '')
          report(event, event.data.replicaId, `${event.type.slice('davit.replica.'.length)} without a reason`);
        return;
      default:
    }
  }

  return {
    see(event) {
      origins.see(event);
      rollouts.see(event);
      if (isDecision(event)) seeDecision(event);
      advice.see(event);
    },
  };
});

const isDecision = (event: RecordedEvent): event is EventOf<'replica'> => event.type.startsWith('davit.replica.');
