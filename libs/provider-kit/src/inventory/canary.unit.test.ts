import { type EventData, type NewEvent, stream } from '@davit/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { canaryKeyOf, DEFAULT_RESOURCE_TIMINGS } from '@davit/domain';
import { seededRandom } from '@davit/ports';
import { createBackendRegistry } from '../registry.js';
import { CrowdedProvider } from '../testing/crowded-provider.js';
import { FleetRig, INSTALLATION } from '../testing/fleet-rig.js';
import { DEFAULT_INVENTORY_RULES, inventoryController } from './inventory-controller.js';

const ROLLOUT = 'default/qwen-2-1';
const CANARY = canaryKeyOf({ deployment: 'default/qwen', revision: 2, attempt: 1 }, INSTALLATION);
const { everyMs } = DEFAULT_INVENTORY_RULES;
const LONG_MS = DEFAULT_RESOURCE_TIMINGS.visibilityMs + 3 * everyMs;
const BOUNDS = {
  ...{ minLoad: 1, coldWorkers: 1, maxWorkers: 2, inactivityTimeoutS: 600, targetQueueTimeS: 5, maxQueueTimeS: 30 },
  ...{ targetUtil: 0.9, coldMult: 2, minColdLoad: 0 },
};

describe('the canary of a rollout, as the inventory sees it', () => {
  let rig: FleetRig;
  let provider: CrowdedProvider;
  const own = (event: NewEvent) => rig.given(stream.rollout(ROLLOUT), event);
  const whoseEnd = { rolloutId: ROLLOUT, deployment: 'default/qwen', revision: 2, replicaId: 'default/qwen-1-0-1' };

  const begun = async (): Promise<void> => {
    const started = {
      ...{ rolloutId: ROLLOUT, deployment: 'default/qwen', revision: 2, fromRevision: 1 },
      ...{ replicaId: 'default/qwen-1-0-1', externalKey: rig.keyOf(0), workergroupId: 7 },
      rollback: { templateId: 1, templateHash: 'a'.repeat(32) },
      policy: POLICY,
      because: ['00000000-0000-7000-8000-000000000001'],
    };
    await own({ type: 'davit.rollout.started', data: started });
    const template = { templateId: 2, templateHash: 'b'.repeat(32) };
    await own({ type: 'davit.rollout.template-recorded', data: { rolloutId: ROLLOUT, template, resolvedBy: 'reply' } });
    const maxSpend = { amount: '2', currency: 'USD' };
    const asked = { rolloutId: ROLLOUT, externalKey: CANARY, template, bounds: BOUNDS, maxSpend };
    await own({ type: 'davit.rollout.canary-requested', data: asked });
  };
  const run = async (ms: number): Promise<void> => {
    const controller = inventoryController({
      backends: createBackendRegistry([provider]),
      installation: INSTALLATION,
      random: seededRandom(2),
    });
    for (let passed = 0; passed < ms; passed += 5_000) {
      await rig.clock.advance(5_000);
      await rig.pass(controller, 'skypilot');
    }
  };

  beforeEach(async () => {
    rig = new FleetRig();
    provider = new CrowdedProvider(() => rig.clock.nowMs(), seededRandom(1));
    await begun();
    provider.create(CANARY);
  });

  test('is nobody else’s while its rollout goes on, however long that takes', async () => {
    await run(LONG_MS);
    expect(await rig.orphans()).toEqual([]);
    expect(await rig.alarms('orphan')).toEqual([]);
  });

  test('is an orphan once its rollout says that it is gone, and names that rollout', async () => {
    await own({
      type: 'davit.rollout.canary-removed',
      data: {
        ...{ rolloutId: ROLLOUT, externalKey: CANARY, absence: '00000000-0000-7000-8000-000000000009' },
        absentSince: new Date(rig.clock.nowMs()).toISOString(),
      },
    });
    await run(LONG_MS);
    const [orphan] = await rig.orphans();
    expect(orphan).toMatchObject({ externalKey: CANARY, status: 'quarantined', reason: 'canary-left' });
    expect(orphan?.detail).toContain(ROLLOUT);
  });

  test('is an orphan once its rollout is over, though nobody proved that it is gone', async () => {
    const why = { reason: 'operator-aborted', detail: '' } as const;
    await own({ type: 'davit.rollout.withdrawn', data: { rolloutId: ROLLOUT, ...why } });
    await own({ type: 'davit.rollout.rejected', data: { ...whoseEnd, ...why } });
    await run(LONG_MS);
    expect(await rig.orphans()).toMatchObject([{ externalKey: CANARY, status: 'quarantined' }]);
  });
});

const HOUR_MS = 3_600_000;
const POLICY: EventData<'davit.rollout.started'>['policy'] = {
  objectives: { latencyP95Ms: 2_000 },
  approval: 'required',
  approvalDeadlineMs: HOUR_MS,
  load: {
    ...{ requestsPerSecond: 8, prompts: 'qwen.jsonl', rampDurationMs: HOUR_MS, maxRequests: 100 },
    ...{ maxDurationMs: HOUR_MS, maxSpend: { amount: '3', currency: 'USD' } },
  },
  canary: {
    ...{ maxWorkers: 2, maxSpend: { amount: '2', currency: 'USD' } },
    ...{ deadlineMs: HOUR_MS, removalDeadlineMs: HOUR_MS },
  },
  acceptance: {
    ...{ alpha: 0.05, beta: 0.05, minimumSamples: 20, deadlineMs: HOUR_MS, convergeDeadlineMs: HOUR_MS },
    tolerated: { latency: 0.1, errorRate: 0.01 },
  },
  onQueueBreach: 'pause',
};
