import { describe, expect, it } from '@jest/globals';
import { DEFAULT_REPLICA_TIMINGS } from '@davit/domain';
import { replicaController } from './replica-controller.js';

describe('the controller of replicas', () => {
  const controller = replicaController(DEFAULT_REPLICA_TIMINGS);
  const ref = { kind: 'replica', key: 'acme/chat-1-0-1' };

  it('looks at replicas until they are proven gone, and never again', () => {
    for (const status of ['requested', 'ready', 'failed', 'deleting', 'quarantined']) {
      expect(controller.keysOf(ref, { status })).toEqual([ref.key]);
    }
    const gone = { observedAt: ['a', 'b'], confirmedAt: '2026-01-01T00:00:00.000Z', released: false };
    expect(controller.keysOf(ref, { status: 'deleted', absence: gone })).toEqual([]);
    expect(controller.keysOf({ kind: 'deployment', key: 'acme/chat' }, { status: 'active' })).toEqual([]);
  });

  it('wakes for one that is seen again after it was proven gone, whatever became of its deployment', () => {
    const absence = { observedAt: [], confirmedAt: null, released: false, reappearedAt: '2026-01-01T01:00:00.000Z' };
    expect(controller.keysOf(ref, { status: 'deleted', absence })).toEqual([ref.key]);
    expect(controller.keysOf(ref, { status: 'deleted', absence: { ...absence, released: true } })).toEqual([]);
  });
});
