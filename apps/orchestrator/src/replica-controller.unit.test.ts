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
    expect(controller.keysOf(ref, { status: 'deleted' })).toEqual([]);
    expect(controller.keysOf({ kind: 'deployment', key: 'acme/chat' }, { status: 'active' })).toEqual([]);
  });
});
