import { beforeEach, expect, test } from '@jest/globals';
import { operations, parseDeployment, stream } from '@davit/contracts';
import { verifyReceipt } from '@davit/domain';
import { type EvidenceStore, type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, sequentialIds } from '@davit/ports';
import { paramsOf } from '../operations/reading.js';
import { askedBy } from '../testing/asked-by.js';
import { ReceiptsController } from './receipts.controller.js';

const rolloutId = 'default/qwen-2-1';
const deployment = 'default/qwen';
const template = { templateId: 7, templateHash: 'a'.repeat(32) };

let log: EventLog;
let evidence: EvidenceStore;
let controller: ReceiptsController;
beforeEach(() => {
  ({ log, evidence } = createMemoryLog({ clock: new VirtualClock(1_800_000_000_000), ids: sequentialIds(1) }));
  controller = new ReceiptsController({ evidence });
});

function policy() {
  const parsed = parseDeployment({
    ...{ apiVersion: 'davit.dev/v1', kind: 'Deployment', metadata: { name: 'qwen' } },
    spec: {
      ...{ model: { id: 'Qwen/Qwen3-8B' }, runtime: { engine: 'vllm' } },
      compute: { mode: 'serverless', templateHash: 'a'.repeat(32) },
      rollout: {
        ...{ strategy: 'evidence', objectives: { latencyP95: '2s' }, canary: { maxSpend: '2.00' } },
        load: { requestsPerSecond: 8, prompts: 'qwen.jsonl', maxSpend: '3.00' },
      },
    },
  });
  if (!parsed.ok || !parsed.deployment.spec.rollout.evidence) throw new Error(JSON.stringify(parsed));
  return parsed.deployment.spec.rollout.evidence;
}

/** A rollout whose candidate failed on evidence that is kept, or that is not. */
async function failed(evidenceDigest: string): Promise<void> {
  const whose = { deployment, revision: 2, fromRevision: 1, replicaId: 'default/qwen-1-0-1' };
  const because = ['00000000-0000-7000-8000-000000000001'];
  const started = {
    rolloutId,
    ...whose,
    externalKey: 'dv-qwen',
    workergroupId: 3,
    rollback: template,
    policy: policy(),
    because,
  };
  const detail = 'another answer';
  await log.append(
    [
      {
        stream: stream.rollout(rolloutId),
        expectedVersion: 0,
        events: [
          { type: 'davit.rollout.started', data: started },
          { type: 'davit.rollout.candidate-failed', data: { rolloutId, step: 'outputs', detail, evidenceDigest } },
        ],
      },
    ],
    { tenant: 'default', service: 'vast-serverless' },
  );
  const order = { intentId: because[0] ?? '', actor: 'ada', reason: 'enough', evidenceDigest: null };
  const words = [rolloutId, 'default/qwen-3-1'].map((id) => ({
    type: 'davit.deployment.rollout-aborted' as const,
    data: { ...order, rolloutId: id },
  }));
  for (const event of words) {
    await log.append([{ stream: stream.deployment(deployment), expectedVersion: 'any', events: [event] }], {
      ...{ tenant: 'default', service: 'spec-api' },
    });
  }
}

const proof = {
  ...{ version: 1, externalKey: 'dv-canary', template, loadMs: 1, readinessMs: 1, responseSchema: 'chat' },
  ...{ outputs: [], contract: null },
};

test('the receipt of a rollout verifies, and holds its own words of operators alone', async () => {
  const { digest } = await evidence.put('candidate', { ...proof, apiKey: 'sk-planted' });
  await failed(digest);
  const { files } = await controller.receipt(askedBy(log), { tenant: 'default', rollout: 'qwen-2-1' });
  expect(verifyReceipt(files)).toEqual([]);
  expect(Object.keys(files)).toContain(`evidence/candidate-${digest}.json`);
  expect(files['receipt.md']).toContain('| aborted | ada | enough |');
  expect(files['events.json']).not.toContain('qwen-3-1');
  expect(JSON.stringify(files)).not.toContain('sk-planted');
});

test('evidence that is cited and not there is told, not left out', async () => {
  await failed('b'.repeat(64));
  const { files } = await controller.receipt(askedBy(log), { tenant: 'default', rollout: 'qwen-2-1' });
  expect(verifyReceipt(files)).toMatchObject([{ check: 'evidence', where: 'b'.repeat(64) }]);
});

test('a rollout that nobody knows, or that is no id, is not found', async () => {
  await expect(controller.receipt(askedBy(log), { tenant: 'default', rollout: 'qwen-2-1' })).rejects.toMatchObject({
    status: 404,
  });
  const noId = { tenant: 'default', rollout: 'x\0' };
  expect(() => paramsOf(operations.getReceipt, noId)).toThrow(expect.objectContaining({ status: 404 }));
});
