import type { RolloutView } from '@davit/contracts';
import type { RolloutState } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';

export function rolloutView({ document: rollout, position }: StoredDocument<RolloutState>): RolloutView {
  const { id, tenant, deployment, revision, fromRevision, phase, startedAt, since, canary } = rollout;
  const waits = phase.name === 'awaiting-approval' && phase.request.required && !phase.approval;
  const { evidenceDigest, deadlineAt } = waits ? phase.request : { evidenceDigest: '', deadlineAt: '' };
  return {
    ...{ id, tenant, deployment, revision, fromRevision, startedAt, since },
    replica: rollout.replicaId,
    phase: phase.name,
    outcome: phase.name === 'over' ? phase.outcome : null,
    why: why(rollout),
    waiting: waits ? { evidenceDigest, deadlineAt } : null,
    rollback: rollout.plan?.rollback ?? null,
    candidate: rollout.template,
    canary: canary && { externalKey: canary.externalKey, removed: canary.removed },
    workers: Object.values(rollout.workers).map(({ workerId, status, on }) => ({ workerId, status, on })),
    position,
  };
}

function why({ phase, paused }: RolloutState): string {
  if (paused) return `paused until ${paused.deadlineAt}: requests queue for too long`;
  switch (phase.name) {
    case 'proving':
      return phase.failed ? `${phase.failed.step}: ${phase.failed.detail}` : 'the candidate proves itself on a canary';
    case 'bounding':
      return 'bounds are worked out from what the candidate bears';
    case 'ramping':
      return `load ramps: ${phase.run.length} of 3 run`;
    case 'baselining':
      return 'the canary is removed, and how production serves is recorded';
    case 'awaiting-approval':
      return phase.approval
        ? 'approved'
        : phase.request.required
          ? 'waits for approval'
          : 'approved by its declaration';
    case 'updating':
      return `production is pointed at the candidate, attempt ${phase.update.attempt}: ${phase.update.answer}`;
    case 'observing':
      return 'workers move to the candidate one by one';
    case 'judging':
      return phase.verdict ? `the latest verdict is ${phase.verdict.verdict}` : 'how the candidate serves is judged';
    case 'withdrawing':
    case 'rolling-back':
      return `${phase.reason}: ${phase.detail}`;
    case 'over':
      if (phase.outcome === 'accepted') return 'every worker is on the candidate, and it serves no worse';
      return phase.outcome === 'refused'
        ? `${phase.code}: ${phase.detail}; ${phase.remedy}`
        : `${phase.reason}: ${phase.detail}`;
  }
}
