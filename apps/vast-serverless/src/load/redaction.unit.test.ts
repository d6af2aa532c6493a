import { DEFAULT_CONTRACT_POLICY } from '@davit/domain';
import type { HttpOutcome, HttpRequest } from '@davit/ports';
import { expect, test } from '@jest/globals';
import { proveCanary } from './canary/prove-canary.js';
import { recordRoll } from './roll/record-roll.js';
import { chatAnswer, LoadRig, prompt, reply, SECRETS, TARGET } from './testing/load-rig.js';

const PROMPTS = [prompt('a'), prompt('b'), prompt('c')] as const;

/** Everything that a careless service gives back: what it was sent, with its head. */
const echo = ({ headers, body }: HttpRequest, status: number): HttpOutcome =>
  reply(status, { ...chatAnswer('x'), error: `${JSON.stringify(headers)} ${body ?? ''}`, echoed: SECRETS });

test.each([
  ['answers', 200],
  ['refuses', 401],
  ['finds fault', 422],
  ['fails', 500],
])(
  'neither key nor signature, prompt or answer is in what is kept or logged of a worker that %s and echoes',
  async (_, status) => {
    const rig = new LoadRig();
    rig.worker({ answer: (request) => rig.after(100, echo(request, status)) });
    rig.worker();
    const roll = await rig.drive(
      recordRoll(rig.parts, {
        ...{ target: TARGET, prompts: PROMPTS, deadlineMs: 10_000, requestsPerSecond: 2, durationMs: 10_000 },
        caps: { maxRequests: 100, maxDurationMs: 60_000, maxSpend: { amount: '1', currency: 'USD' } },
      }),
    );
    const proof = await rig.drive(
      proveCanary(rig.parts, {
        ...{ target: TARGET, prompts: PROMPTS, contract: DEFAULT_CONTRACT_POLICY, requestDeadlineMs: 10_000 },
        ...{ requestedAtMs: rig.clock.nowMs(), deadlineAtMs: rig.clock.nowMs() + 60_000 },
      }),
    );
    expect(roll.requests.length).toBeGreaterThan(0);
    const kept = JSON.stringify([roll, roll.run.history.looks, proof, rig.logged]);
    for (const secret of Object.values(SECRETS)) expect(kept).not.toContain(secret);
    // They did travel: the key to the engine alone, signature and prompt to workers.
    const [toEngine, toWorkers] = [true, false].map((isEngine) =>
      JSON.stringify(rig.requests.filter(({ url }) => url.includes('vast.ai') === isEngine)),
    );
    expect(toEngine).toContain(SECRETS.key);
    expect(toWorkers).not.toContain(SECRETS.key);
    expect(toWorkers).toContain(SECRETS.signature);
    expect(toWorkers).toContain(SECRETS.prompt);
  },
);
