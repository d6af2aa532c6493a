import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkLaws } from '../laws/index.js';
import { evolveRollout } from './evolve.js';
import type { RolloutState } from './state.js';
import { FATES } from './testing/performer.js';
import { KEY, RolloutStage } from './testing/stage.js';

const HOUR_MS = 3_600_000;
/** What may happen at any moment; what goes well is the more frequent, so that every phase is reached. */
const happening = fc.oneof(
  { weight: 12, arbitrary: fc.constant('good' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...FATES) },
  { weight: 3, arbitrary: fc.constant('approve' as const) },
  { weight: 1, arbitrary: fc.constantFrom('reject', 'abort', 'supersede', 'delete', 'later', 'soon') },
);

function happen(stage: RolloutStage, what: string, turn: number): void {
  const id = stage.state?.id;
  switch (what) {
    case 'approve':
    case 'reject':
    case 'abort': {
      const word = ({ approve: 'approved', reject: 'rejected', abort: 'aborted' } as const)[what];
      if (id !== undefined) stage.word(word, undefined, id);
      return;
    }
    case 'supersede':
      if (stage.deployment(KEY).status === 'active')
        stage.declare({ templateHash: String(turn).padStart(32, 'c') }).settle();
      return;
    case 'delete':
      stage.remove().settle();
      return;
    case 'later':
      stage.later(HOUR_MS);
      return;
    case 'soon':
      stage.later(1_000);
      return;
    default:
      stage.step(FATES.find((fate) => fate === what) ?? 'good');
  }
}

/** Everything goes well from here on, and time passes where something is waited for. */
function settleAll(stage: RolloutStage): void {
  for (let turn = 0; turn < 300; turn++) {
    const before = stage.events.length;
    stage.step('good');
    if (stage.events.length > before) continue;
    const next = stage.next();
    if (next.kind === 'done') return;
    stage.later(HOUR_MS);
  }
}

const history = fc.array(happening, { maxLength: 60 });
const run = (happenings: readonly string[]): RolloutStage => {
  const stage = new RolloutStage()
    .serving()
    .declare({ templateHash: 'b'.repeat(32) })
    .settle();
  happenings.forEach((what, turn) => {
    happen(stage, what, turn);
  });
  return stage;
};

describe('any order of what may happen to rollouts', () => {
  it('law-02: production is changed only after a word on the very evidence, which stands before it', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const stage = run(happenings);
        for (const update of stage.of('davit.rollout.update-attempted')) {
          const { approval, rolloutId } = update.data;
          const word = stage.of('davit.deployment.rollout-approved').find(({ id }) => id === approval.eventId);
          expect(word?.data).toMatchObject({ rolloutId, evidenceDigest: approval.evidenceDigest });
          expect(word?.position).toBeLessThan(update.position);
        }
        return true;
      }),
    );
  });

  it('accepts only with every worker on the candidate, and by a verdict of accept', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const stage = run(happenings);
        for (const { position, data } of stage.of('davit.rollout.accepted')) {
          const before = stage.events.filter((event) => event.position < position);
          const state = before.reduce<RolloutState | undefined>(
            (folded, event) => (event.stream === `rollout/${data.rolloutId}` ? evolveRollout(folded, event) : folded),
            undefined,
          );
          expect(Object.values(state?.workers ?? {}).every(({ on }) => on === 'candidate')).toBe(true);
          expect(state?.phase).toMatchObject({ name: 'judging', verdict: { verdict: 'accept' } });
        }
        return true;
      }),
    );
  });

  it('law-09: whatever happened, all of them come to an end with their canaries proven gone', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const stage = run(happenings);
        settleAll(stage);
        const ids = new Set(stage.of('davit.rollout.started').map(({ data }) => data.rolloutId));
        for (const id of ids) {
          const state = stage.rollout(id);
          expect(state?.phase.name).toBe('over');
          expect(state?.canary === null || state?.canary.removed).toBe(true);
          const touched = stage.of('davit.rollout.update-attempted').some(({ data }) => data.rolloutId === id);
          const reason = state?.phase.name === 'over' && 'reason' in state.phase ? state.phase.reason : null;
          const outcome = state?.phase.name === 'over' ? state.phase.outcome : null;
          if (touched && reason !== 'deployment-deleted' && reason !== 'replica-lost')
            expect(['accepted', 'rolled-back']).toContain(outcome);
        }
        const laws = new Set(['law-02', 'law-03', 'law-09']);
        const broken = checkLaws(stage.events, { ended: false }).filter(
          ({ law, about }) => laws.has(law.slice(0, 6)) && (ids.has(about) || about.startsWith('dv-')),
        );
        expect(broken).toEqual([]);
        return true;
      }),
    );
  });

  it('law-08: an event seen twice changes no phase, and the same log names the same step', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const stage = run(happenings);
        const { state } = stage;
        if (!state) return true;
        expect(stage.next()).toEqual(stage.next());
        const own = stage.events.filter(({ stream }) => stream === `rollout/${state.id}`);
        const last = own.at(-1);
        if (!last) return true;
        const again = evolveRollout(state, last);
        expect(again?.phase.name).toBe(state.phase.name);
        return true;
      }),
    );
  });
});
