import { expect, test } from '@jest/globals';
import { RolloutStage } from '../rollout/testing/stage.js';
import type { RolloutState } from '../rollout/state.js';
import { stuckRollbacks } from './rollbacks.js';

const takenBack = (): RolloutState => {
  const stage = new RolloutStage()
    .serving()
    .declare({ templateHash: 'b'.repeat(32) })
    .settle();
  const { state } = stage
    .until('awaiting-approval')
    .word('approved')
    .until('observing')
    .word('aborted')
    .until('rolling-back');
  if (!state) throw new Error('there is no rollout');
  return state;
};
const asked = (state: RolloutState, attempt: number, observed: number | null = null): RolloutState =>
  state.phase.name === 'rolling-back'
    ? { ...state, phase: { ...state.phase, observed, rollback: { ...state.phase.rollback, attempt } } }
    : state;

test('a way back that nothing proves done is an alarm once it was asked for three times, until it is proven', () => {
  const state = takenBack();
  expect(stuckRollbacks({ rollouts: [state, asked(state, 2)] })).toEqual([]);
  expect(stuckRollbacks({ rollouts: [asked(state, 3)] })).toEqual([
    expect.objectContaining({ alarm: 'rollback-stuck', about: state.id, severity: 'critical' }),
  ]);
  expect(stuckRollbacks({ rollouts: [asked(state, 3, 2)] })).toEqual([]);
});
