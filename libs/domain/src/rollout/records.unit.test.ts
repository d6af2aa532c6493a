import { beforeEach, describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { NEW, OLD } from './testing/performer.js';
import { ROLLOUT, RolloutStage } from './testing/stage.js';

describe('whether records of workers move with an update', () => {
  let stage: RolloutStage;
  beforeEach(() => {
    stage = new RolloutStage().serving().declare({ templateHash: NEW.templateHash }).settle();
    stage.until('awaiting-approval').word('approved').until('observing');
  });
  const seen = (workerId: number, { templateId, templateHash }: typeof OLD) =>
    stage.given(stream.rollout(ROLLOUT), 'davit.rollout.worker-observed', {
      ...{ rolloutId: ROLLOUT, evidence: 'instance', inFlight: 0 },
      worker: { workerId, status: 'idle', templateId, templateHash, loadedAt: null, on: 'candidate' },
    });

  it('is told by one whose record was the former one and became that of the candidate', () => {
    seen(7, OLD);
    expect(stage.state).toMatchObject({ formerly: [7], recordsMove: false });
    seen(7, NEW);
    expect(stage.state?.recordsMove).toBe(true);
  });

  it('is not told by one that was rented on the candidate, whatever else it proves', () => {
    seen(8, NEW);
    seen(8, NEW);
    expect(stage.state).toMatchObject({ formerly: [], recordsMove: false });
  });
});
