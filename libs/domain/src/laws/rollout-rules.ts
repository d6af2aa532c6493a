import type { EventOf, RecordedEvent } from '@davit/contracts';
import { isRolloutEvent } from '../rollout/enter.js';
import type { Report, Rules } from './violation.js';

type Asked = { readonly effect: 'update' | 'rollback'; readonly attempt: number };

/**
 * Law 2 of rollouts: production changes only after a word that names the rollout and its evidence, or where none was asked for; and
 * no answer stands without the attempt that it belongs to.
 */
export function rolloutIntents(report: Report): Rules {
  const words = new Map<
    string,
    { readonly rolloutId: string; readonly evidenceDigest: string; readonly position: number }
  >();
  const questions = new Map<string, EventOf<'rollout'> & { readonly type: 'davit.rollout.approval-requested' }>();
  const declarations = new Set<string>();
  const attempts = new Map<string, number>();
  return {
    see(event) {
      if (event.type === 'davit.deployment.declared') declarations.add(event.id);
      if (event.type === 'davit.deployment.rollout-approved') {
        const { rolloutId, evidenceDigest } = event.data;
        words.set(event.id, { rolloutId, evidenceDigest, position: event.position });
      }
      if (!isRolloutEvent(event)) return;
      const { rolloutId } = event.data;
      if (event.type === 'davit.rollout.approval-requested') questions.set(rolloutId, event);
      if (event.type === 'davit.rollout.update-attempted') {
        const question = questions.get(rolloutId);
        const { by, eventId, evidenceDigest } = event.data.approval;
        const word = words.get(eventId);
        if (!question) report(event, rolloutId, 'changes production without having asked');
        else if (question.data.evidenceDigest !== evidenceDigest)
          report(event, rolloutId, 'changes production on other evidence than it asked with', [question.position]);
        else if (by === 'declaration' && (question.data.required || !declarations.has(eventId)))
          report(event, rolloutId, 'changes production without the approval that it needs', [question.position]);
        else if (by === 'operator' && (word?.rolloutId !== rolloutId || word.evidenceDigest !== evidenceDigest))
          report(event, rolloutId, 'cites an approval that is none of this evidence', [question.position]);
      }
      const asked = askedBy(event);
      if (!asked) return;
      const name = `${rolloutId} ${asked.effect}`;
      if (event.type.endsWith('-attempted')) attempts.set(name, asked.attempt);
      else if (asked.attempt > (attempts.get(name) ?? 0))
        report(event, rolloutId, `${event.type.slice('davit.rollout.'.length)} without an attempt before it`);
    },
  };
}

function askedBy(event: EventOf<'rollout'>): Asked | undefined {
  const [, effect] =
    /^davit\.rollout\.(update|rollback)-(?:attempted|triggered|refused|unknown)$/.exec(event.type) ?? [];
  if ((effect !== 'update' && effect !== 'rollback') || !('attempt' in event.data)) return undefined;
  return { effect, attempt: event.data.attempt };
}

/** Law 9 of rollouts: deadlines lie ahead, a canary does not outlive its rollout, and what is over does not go on. */
export function rolloutDeadlines(report: Report, clockSkewMs: number): Rules {
  const canaries = new Map<string, number>();
  const open = new Map<string, number>();
  const over = new Map<string, number>();
  return {
    see(event) {
      if (!isRolloutEvent(event)) return;
      const { rolloutId } = event.data;
      const ended = over.get(rolloutId);
      if (ended !== undefined) report(event, rolloutId, 'goes on after it was over', [ended]);
      switch (event.type) {
        case 'davit.rollout.started':
          open.set(rolloutId, event.position);
          return;
        case 'davit.rollout.canary-requested':
          canaries.set(rolloutId, event.position);
          return;
        case 'davit.rollout.canary-removed':
          canaries.delete(rolloutId);
          return;
        case 'davit.rollout.approval-requested':
        case 'davit.rollout.canary-removal-requested':
          if (Date.parse(event.data.deadlineAt) + clockSkewMs < Date.parse(event.time))
            report(event, rolloutId, `its deadline ${event.data.deadlineAt} had passed when it was set`);
          return;
        case 'davit.rollout.accepted':
        case 'davit.rollout.rejected':
        case 'davit.rollout.rolled-back': {
          const canary = canaries.get(rolloutId);
          if (canary !== undefined) report(event, rolloutId, 'is over while its canary may bill', [canary]);
          open.delete(rolloutId);
          over.set(rolloutId, event.position);
          return;
        }
        default:
      }
    },
    end(ended) {
      if (!ended) return;
      for (const [id, position] of open) report({ position }, id, 'began, and never came to an end');
      for (const [id, position] of canaries) report({ position }, id, 'its canary was never proven gone');
    },
  };
}

/** Law 15 of rollouts: what is accepted rests on a verdict of accept, whose bundle it names, and which says why it was no other. */
export function rolloutVerdicts(report: Report): Rules {
  const verdicts = new Map<
    string,
    { readonly verdict: string; readonly bundleDigest: string; readonly position: number }
  >();
  return {
    see(event: RecordedEvent) {
      if (event.type === 'davit.rollout.verdict-reached') {
        const { rolloutId, verdict, bundleDigest, rejectedAlternatives } = event.data;
        verdicts.set(rolloutId, { verdict, bundleDigest, position: event.position });
        const named = new Set([verdict, ...rejectedAlternatives.map((other) => other.verdict)]);
        if (named.size !== 3) report(event, rolloutId, 'does not say why it was no other verdict');
      }
      if (event.type === 'davit.rollout.accepted') {
        const { rolloutId, bundleDigest } = event.data;
        const verdict = verdicts.get(rolloutId);
        if (verdict?.verdict !== 'accept') report(event, rolloutId, 'accepted without a verdict that says so');
        else if (verdict.bundleDigest !== bundleDigest)
          report(event, rolloutId, 'accepted on another bundle than its verdict rests on', [verdict.position]);
      }
    },
  };
}
