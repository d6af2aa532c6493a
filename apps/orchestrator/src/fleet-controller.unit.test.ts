import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_LOSS_LIMITS,
  DEFAULT_REPLICA_TIMINGS,
  FLEET_KEY,
  type FleetState,
  NO_FLEET,
  type ReplicaState,
} from '@davit/domain';
import type { ReconcileContext } from '@davit/reconcile';
import { fleetController } from './fleet-controller.js';
import { replicaController } from './replica-controller.js';

const START_MS = Date.UTC(2026, 0, 1);
const at = (ms: number): string => new Date(START_MS + ms).toISOString();
const { intervalMs } = DEFAULT_LOSS_LIMITS;

/** One look at a fleet: what was appended, and whose list was read for it. */
function look(fleet: FleetState, suspects: readonly ReplicaState[], afterMs: number) {
  const seen = { types: [] as string[], lists: 0 };
  const stored = (kind: string, key: string, document: object) => ({ ref: { kind, key }, kind, key, document });
  const context = {
    key: suspects[0]?.id ?? FLEET_KEY,
    epoch: 1,
    nowMs: () => START_MS + afterMs,
    logger: { info: () => undefined },
    model: {
      get: (kind: string, key: string) =>
        Promise.resolve(
          kind === 'deployment' || kind === 'alarm'
            ? undefined
            : stored(kind, key, kind === 'fleet' ? fleet : (suspects[0] ?? {})),
        ),
      list: () => {
        seen.lists += 1;
        return Promise.resolve(suspects.map((replica) => stored('replica', replica.id, replica)));
      },
    },
    append: (writes: readonly { readonly events: readonly { readonly type: string }[] }[]) => {
      seen.types.push(...writes.flatMap(({ events }) => events.map(({ type }) => type)));
      return Promise.resolve({ outcome: 'appended', events: [] });
    },
    holdsLease: () => Promise.resolve(true),
  } as unknown as ReconcileContext; // only what the controllers of fleet and replicas ask of it
  return { context, seen };
}

const frozenSince = (ms: number): FleetState => ({ ...NO_FLEET, serving: 12, frozen: { since: at(ms), detail: '' } });

describe('the controller of the fleet', () => {
  const controller = fleetController(DEFAULT_LOSS_LIMITS);
  const lookAt = async (fleet: FleetState, afterMs: number): Promise<string[]> => {
    const { context, seen } = look(fleet, [], afterMs);
    await controller.reconcile(context);
    return seen.types;
  };
  const thawed = ['davit.fleet.thawed', 'davit.fleet.alarm-cleared'];

  /** Looks as often as the controller asks to be called again. */
  const watch = async (fleet: FleetState, fromMs: number, toMs: number): Promise<string[]> => {
    const types: string[] = [];
    for (let ms = fromMs; ms <= toMs; ms += 5_000) types.push(...(await lookAt(fleet, ms)));
    return types;
  };

  it('law-12: calls a fleet recovered after an interval that it has watched itself', async () => {
    expect(await watch(frozenSince(0), 0, intervalMs - 1)).toEqual([]);
    expect(await lookAt(frozenSince(0), intervalMs)).toEqual(thawed);
  });

  it('law-12: waits the whole interval again after another instance had the watch', async () => {
    await watch(frozenSince(0), 0, 10_000);
    expect(await watch(frozenSince(0), intervalMs, 2 * intervalMs - 1)).toEqual([]);
    expect(await lookAt(frozenSince(0), 2 * intervalMs)).toEqual(thawed);
  });

  it('law-12: waits the whole interval in each freeze, also where another instance ended the one before', async () => {
    await watch(frozenSince(0), 0, intervalMs - 5_000);
    expect(await watch(frozenSince(intervalMs), intervalMs, 2 * intervalMs - 1)).toEqual([]);
    expect(await lookAt(frozenSince(intervalMs), 2 * intervalMs)).toEqual(thawed);
  });
});

describe('a replica that is ill', () => {
  const controller = replicaController(DEFAULT_REPLICA_TIMINGS);
  const ill = {
    id: 'acme/chat-1-0-1',
    deployment: 'acme/chat',
    status: 'ready',
    everReady: true,
    runtime: { status: 'unready', reason: 'timeout', detail: '', since: at(0), url: '', servedModel: null },
    absence: { observedAt: [], confirmedAt: null, released: false },
    resource: null,
    launch: null,
    placement: null,
    versions: { replica: 9, resource: 1, runtime: 1 },
  } as unknown as ReplicaState; // only what giving it up reads
  const listsRead = async (fleet: FleetState): Promise<readonly [number, string[]]> => {
    const { context, seen } = look(fleet, [ill], 60_000);
    await controller.reconcile(context);
    return [seen.lists, seen.types];
  };

  it('looks at the others who are ill before it is given up, and at nobody where that changes nothing', async () => {
    const givenUp = ['davit.fleet.replica-lost', 'davit.replica.failed'];
    expect(await listsRead({ ...NO_FLEET, serving: 2 })).toEqual([1, givenUp]);
    expect(await listsRead(frozenSince(0))).toEqual([0, []]);
    expect(await listsRead({ ...NO_FLEET, serving: 2, believedBefore: at(1) })).toEqual([0, givenUp]);
  });
});
