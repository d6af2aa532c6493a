import { describe, expect, it } from '@jest/globals';
import type { NewEvent } from '@davit/contracts';
import { History, exampleDeployment } from '../testing/history.js';
import { orphanKeyOf } from './evolve-orphan.js';
import { DEPLOYMENT_TRANSITIONS, ORPHAN_TRANSITIONS } from './other-transitions.js';
import type { DeploymentState, OrphanState } from './state.js';
import { evolveDeployment } from './evolve-deployment.js';
import { evolveOrphan } from './evolve-orphan.js';

const AT = '2026-01-01T00:00:00.000Z';
const intentId = '00000000-0000-7000-8000-000000000001';
const owner = { externalKey: 'dv-abcde-k', replicaId: null, adapter: 'skypilot' };
const ORPHAN = `resource/${orphanKeyOf('skypilot', owner.externalKey, 'p')}`;

const DEPLOYMENT_EVENTS: Readonly<Record<string, object>> = {
  declared: {
    intentId,
    generation: 1,
    revision: 1,
    templateDigest: 'a'.repeat(64),
    spec: exampleDeployment(),
  },
  'deletion-requested': { intentId },
  'retry-requested': { intentId },
  paused: { intentId, reason: 'x' },
  resumed: { intentId },
  'revision-activated': { revision: 1, previous: null },
  'condition-changed': { condition: 'Available', status: 'true', reason: 'x', message: '', generation: 1 },
  deleted: { generation: 1 },
};
const ORPHAN_FACTS: Readonly<Record<string, object>> = {
  'orphan-found': {
    ...owner,
    reason: 'no-owner',
    providerId: 'p',
    phase: 'up',
    price: null,
    quarantinedUntil: AT,
    policy: 'auto',
    detail: '',
  },
  'orphan-cleared': { ...owner, reason: 'gone', detail: '' },
  'delete-attempted': { ...owner, attempt: 1, leaseEpoch: 1 },
  'absence-observed': { ...owner, by: 'inventory', inventoryRows: 0 },
  'absence-confirmed': { ...owner, observedAt: [AT, AT], inventoryRows: 0 },
};

const recorded = (stream: string, type: string, data: object) => {
  const event = { type, data } as unknown as NewEvent; // checked by the catalogue
  const [one] = new History().append(stream, event).events;
  if (!one) throw new Error('nothing recorded');
  return one;
};

describe('the state machine of a deployment', () => {
  const first = evolveDeployment(
    undefined,
    recorded('deployment/default/qwen', 'davit.deployment.declared', DEPLOYMENT_EVENTS['declared'] ?? {}),
  );
  it.each(Object.keys(DEPLOYMENT_TRANSITIONS) as DeploymentState['status'][])(
    'follows its table from "%s"',
    (status) => {
      if (!first) throw new Error('declared nothing');
      for (const [type, data] of Object.entries(DEPLOYMENT_EVENTS)) {
        const after = DEPLOYMENT_TRANSITIONS[status][type];
        // What the table does not name either changes no status, or is never written in this one.
        if (after === undefined && (type === 'deleted' || type === 'deletion-requested')) continue;
        const event = recorded('deployment/default/qwen', `davit.deployment.${type}`, data);
        expect({ type, status: evolveDeployment({ ...first, status }, event)?.status }).toEqual({
          type,
          status: after ?? status,
        });
      }
    },
  );
});

describe('the state machine of an orphan', () => {
  const first = evolveOrphan(
    undefined,
    recorded(ORPHAN, 'davit.resource.orphan-found', ORPHAN_FACTS['orphan-found'] ?? {}),
  );
  it.each(Object.keys(ORPHAN_TRANSITIONS) as OrphanState['status'][])('follows its table from "%s"', (status) => {
    if (!first) throw new Error('found nothing');
    for (const [type, after] of Object.entries(ORPHAN_TRANSITIONS[status])) {
      const event = recorded(ORPHAN, `davit.resource.${type}`, ORPHAN_FACTS[type] ?? {});
      expect({ type, status: evolveOrphan({ ...first, status }, event)?.status }).toEqual({ type, status: after });
    }
  });

  it('begins in quarantine', () => {
    expect(first?.status).toBe('quarantined');
  });
});
