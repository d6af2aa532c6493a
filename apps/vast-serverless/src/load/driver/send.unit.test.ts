import { expect, test } from '@jest/globals';
import { LoadRig, prompt, TARGET } from '../testing/load-rig.js';
import { sender } from './send.js';

test('a request whose time was over before there was room for it is not sent, and was not served', async () => {
  const rig = new LoadRig();
  rig.worker();
  const send = sender(rig.parts, { target: TARGET, prompts: [prompt('a')], deadlineMs: 3_000 });
  const scheduledAtMs = rig.clock.nowMs() - 3_000;
  const { isOk, result } = await send({ index: 0, scheduledAtMs }, new AbortController().signal);
  expect([isOk, result.outcome, result.errorKind, result.scheduledAtMs]).toEqual([
    false,
    'timeout',
    'not-sent',
    scheduledAtMs,
  ]);
  expect(rig.requests).toEqual([]);
});
