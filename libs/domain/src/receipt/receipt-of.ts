import type { EventData, EventType, RecordedEvent } from '@davit/contracts';
import { citedOf, evidenceEntries } from './derive/cited.js';
import { finalOf } from './derive/final.js';
import { rampsOf } from './derive/load.js';
import { sloRows } from './derive/slo.js';
import { lastBundle, spendOf } from './derive/spend.js';
import { workerSteps } from './derive/workers.js';
import type { OperatorWord, Receipt, ReceiptSources } from './receipt.js';

type Of<Type extends EventType> = RecordedEvent & { readonly type: Type; readonly data: EventData<Type> };

const all = <Type extends EventType>(events: readonly RecordedEvent[], type: Type): readonly Of<Type>[] =>
  // The discriminant is checked; TypeScript does not narrow by a generic one.
  events.filter((event) => event.type === type) as unknown as readonly Of<Type>[];

/** What one rollout did, from its events and their evidence alone; undefined where the events tell of none. */
export function receiptOf(sources: ReceiptSources): Receipt | undefined {
  const { events } = sources;
  const [started] = all(events, 'davit.rollout.started');
  const [refused] = all(events, 'davit.rollout.refused');
  const beginning = started ?? refused;
  if (!beginning) return undefined;
  const { rolloutId: id, deployment, revision, fromRevision, replicaId } = beginning.data;
  const final = finalOf(events);
  const end = events.find(({ type }) => ENDS.has(type));
  const verdict = all(events, 'davit.rollout.verdict-reached').at(-1);
  const bundle = lastBundle(sources);
  return {
    version: 1,
    rollout: {
      ...{ id, deployment, revision, fromRevision, replicaId, startedAt: beginning.time },
      endedAt: end?.time ?? null,
    },
    final,
    endpoint: {
      externalKey: started?.data.externalKey ?? null,
      workergroupId: started?.data.workergroupId ?? null,
      canaryKey: all(events, 'davit.rollout.canary-requested').at(-1)?.data.externalKey ?? null,
    },
    templates: {
      old: started?.data.rollback ?? null,
      new: all(events, 'davit.rollout.template-recorded').at(-1)?.data.template ?? null,
    },
    policy: started?.data.policy ?? null,
    proof: proofOf(events),
    bounds: boundsOf(events),
    load: rampsOf(events),
    slo: bundle && verdict ? sloRows(bundle.value, verdict.data.reasons) : [],
    workers: workerSteps(events),
    spend: spendOf(sources),
    verdict: verdict ? verdictOf(verdict) : null,
    approvals: {
      asked: all(events, 'davit.rollout.approval-requested').map((event) => {
        const { required, evidenceDigest, worstCaseSpend, deadlineAt } = event.data;
        return { ...citedOf(event), required, evidenceDigest, worstCaseSpend, deadlineAt };
      }),
      words: events.flatMap(wordOf),
    },
    evidence: evidenceEntries(sources),
    events: events.map((event) => ({ ...citedOf(event), type: event.type, id: event.id })),
  };
}

const ENDS: ReadonlySet<string> = new Set(
  ['accepted', 'rejected', 'rolled-back', 'refused'].map((end) => `davit.rollout.${end}`),
);

function proofOf(events: readonly RecordedEvent[]): Receipt['proof'] {
  const proved = all(events, 'davit.rollout.candidate-proved').at(-1);
  if (proved) {
    const { loadMs, readinessMs, responseSchema, outputs } = proved.data;
    const detail = `${outputs.length} answers as recorded`;
    return { passed: true, step: null, detail, loadMs, readinessMs, responseSchema, answers: outputs.length };
  }
  const failed = all(events, 'davit.rollout.candidate-failed').at(-1);
  if (!failed) return null;
  const { step, detail } = failed.data;
  const nothing = { loadMs: null, readinessMs: null, responseSchema: null, answers: 0 };
  return { passed: false, step, detail, ...nothing };
}

function boundsOf(events: readonly RecordedEvent[]): Receipt['bounds'] {
  const set = all(events, 'davit.rollout.bounds-set').at(-1);
  const refused = all(events, 'davit.rollout.bounds-refused').at(-1);
  return {
    set: set?.data.bounds ?? null,
    arithmetic: set?.data.arithmetic ?? refused?.data.arithmetic ?? [],
    conflicts: (refused?.data.conflicts ?? []).map(
      ({ objective, against, detail }) => `${objective} against ${against}: ${detail}`,
    ),
    applied: all(events, 'davit.rollout.bounds-applied').map((event) => ({
      ...citedOf(event),
      ...{ to: event.data.to, readBack: event.data.readBack },
    })),
  };
}

function verdictOf(event: Of<'davit.rollout.verdict-reached'>): Receipt['verdict'] {
  const { verdict, reasons, alpha, beta, samples, bundleDigest, rejectedAlternatives } = event.data;
  return { ...citedOf(event), verdict, reasons, alpha, beta, samples, bundleDigest, rejectedAlternatives };
}

const WORDS = {
  'davit.deployment.rollout-approved': 'approved',
  'davit.deployment.rollout-rejected': 'rejected',
  'davit.deployment.rollout-aborted': 'aborted',
} as const;

function wordOf(event: RecordedEvent): readonly OperatorWord[] {
  switch (event.type) {
    case 'davit.deployment.rollout-approved':
    case 'davit.deployment.rollout-rejected':
    case 'davit.deployment.rollout-aborted': {
      const { actor, reason, evidenceDigest } = event.data;
      return [{ ...citedOf(event), verb: WORDS[event.type], actor, reason, evidenceDigest }];
    }
    default:
      return [];
  }
}
