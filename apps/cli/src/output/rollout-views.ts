import type { RolloutView } from '@davit/contracts';
import { age, table } from './table.js';

export function rolloutsTable(rows: readonly RolloutView[], nowMs: number): string {
  return table(
    ['ROLLOUT', 'REVISION', 'PHASE', 'FOR', 'WHY'],
    rows.map((row) => [
      row.id,
      `${row.fromRevision} → ${row.revision}`,
      row.outcome ?? row.phase,
      age(row.since, nowMs),
      row.why,
    ]),
  );
}

/** One rollout whole: what would be changed, what was seen of workers, and what an operator can say. */
export function rolloutText(row: RolloutView, nowMs: number): string {
  const template = (value: RolloutView['candidate']): string =>
    value ? `${value.templateId} (${value.templateHash})` : 'not yet known';
  const { waiting, canary } = row;
  return [
    `${row.id}: ${row.outcome ?? row.phase} for ${age(row.since, nowMs)}`,
    row.why,
    `revision ${row.fromRevision} → ${row.revision} of ${row.deployment}, on ${row.replica}`,
    `serves from template ${template(row.rollback)}; candidate ${template(row.candidate)}`,
    `canary: ${canary ? `${canary.externalKey}${canary.removed ? ', proven gone' : ', bills until it is proven gone'}` : 'none'}`,
    ...row.workers.map(({ workerId, status, on }) => `  worker ${workerId}: ${status}, on ${on}`),
    ...(waiting
      ? [
          `waits until ${waiting.deadlineAt} for a word on evidence ${waiting.evidenceDigest}`,
          `  davit approve ${row.id} --evidence ${waiting.evidenceDigest} --reason "…"   (or --reject, --abort)`,
        ]
      : []),
  ].join('\n');
}
