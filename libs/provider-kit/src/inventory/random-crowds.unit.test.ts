import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  alarmKeyOf,
  checkLaws,
  DEFAULT_RESOURCE_TIMINGS,
  externalKeyPrefix,
  isOpenOrphan,
  type OrphanPolicy,
  type ReplicaState,
} from '@davit/domain';
import { seededRandom } from '@davit/ports';
import type { InventoryRow } from '../backend.js';
import { createBackendRegistry } from '../registry.js';
import { resourceController } from '../resource-controller.js';
import { CrowdedProvider, type CrowdTrouble, NO_CROWD_TROUBLE } from '../testing/crowded-provider.js';
import { type FleetHooks, FleetRig, INSTALLATION } from '../testing/fleet-rig.js';
import { Crash } from '../testing/rig.js';
import { inventoryController } from './inventory-controller.js';

const RULES = { everyMs: 15_000, quarantineMs: 60_000 };
const REPLICAS = [1, 2, 3];
const STEP_MS = 5_000;
const share = fc.double({ min: 0, max: 0.4, noNaN: true });

interface Crowd {
  readonly seed: number;
  readonly policy: OrphanPolicy;
  readonly trouble: CrowdTrouble;
  readonly crashes: number;
  readonly steals: number;
}

const crowd = fc.record<Crowd>({
  seed: fc.integer(),
  policy: fc.constantFrom('report', 'approve', 'auto'),
  trouble: fc.record<CrowdTrouble>({ unreadable: share, lostReply: share, lies: share }),
  crashes: fc.double({ min: 0, max: 0.2, noNaN: true }),
  steals: fc.double({ min: 0, max: 0.2, noNaN: true }),
});

/** Replicas that come and go on a provider where anybody may create and end things of their names. */
class CrowdedLife {
  readonly rig = new FleetRig();
  readonly random;
  readonly provider;
  readonly wronglyReaped: string[] = [];
  /** How often something of each kind happened, so that a test can see that it did. */
  readonly happened = { foreign: 0, duplicates: 0, losses: 0, returns: 0, crashes: 0 };
  private controllers;
  private calm = false;

  constructor(readonly parameters: Crowd) {
    this.random = seededRandom(parameters.seed);
    const hiddenMs = DEFAULT_RESOURCE_TIMINGS.visibilityMs - STEP_MS;
    this.provider = new CrowdedProvider(() => this.rig.clock.nowMs(), this.random, hiddenMs);
    this.provider.trouble = parameters.trouble;
    this.provider.beforeReap = (row) => this.watch(row);
    this.controllers = this.build();
  }

  /** Nothing but the log outlives a crash. */
  private build() {
    const backends = createBackendRegistry([this.provider]);
    const rules = { ...RULES, policy: this.parameters.policy };
    return {
      resource: resourceController({ backends }),
      inventory: inventoryController({ backends, installation: INSTALLATION, random: this.random, rules }),
    };
  }

  private async watch({ providerId, externalKey }: InventoryRow): Promise<void> {
    for (const ordinal of REPLICAS) {
      if (this.rig.keyOf(ordinal) !== externalKey) continue;
      const replica = await this.stateOf(ordinal);
      if (replica === undefined || replica.status === 'deleted') continue;
      const recorded = replica.resource?.providerId ?? null;
      if (recorded === null || recorded === providerId) this.wronglyReaped.push(`${replica.id} lost ${providerId}`);
    }
  }

  private async stateOf(ordinal: number): Promise<ReplicaState | undefined> {
    return (await this.rig.store.get<ReplicaState>('replica', this.rig.idOf(ordinal)))?.document;
  }

  async step(): Promise<void> {
    await this.rig.clock.advance(STEP_MS);
    if (!this.calm) await this.meddle();
    for (const ordinal of REPLICAS) {
      await this.decide(ordinal);
      await this.pass(this.controllers.resource, this.rig.idOf(ordinal));
    }
    await this.pass(this.controllers.inventory, 'skypilot');
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.step();
  }

  end(): void {
    this.calm = true;
    this.provider.trouble = NO_CROWD_TROUBLE;
  }

  private async pass(controller: Parameters<FleetRig['pass']>[0], key: string): Promise<void> {
    const { crashes, steals } = this.parameters;
    const hooks: FleetHooks = {
      afterAppend: async () => {
        if (this.calm) return;
        if (this.random.next() < steals) await this.rig.stealLease(controller, key);
        if (this.random.next() < crashes) throw new Crash();
      },
    };
    try {
      await this.rig.pass(controller, key, hooks);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.happened.crashes += 1;
      this.controllers = this.build();
    }
  }

  /** What others do at the provider, and what operators order. */
  private async meddle(): Promise<void> {
    const { random, provider, rig } = this;
    const among = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random.next() * items.length)];
    const prefix = externalKeyPrefix(INSTALLATION);
    if (random.next() < 0.02) {
      this.happened.foreign += 1;
      provider.create(`${prefix}nobodyaskedforit${among([1, 2, 3]) ?? 1}`);
    }
    const thing = among([...provider.things.values()]);
    if (thing && random.next() < 0.03) {
      this.happened.duplicates += 1;
      provider.create(thing.name);
    }
    if (thing && random.next() < 0.02) {
      this.happened.losses += 1;
      provider.things.delete(thing.id);
      // Now and then what was believed lost is back much later.
      const backMs = random.next() < 0.5 ? random.next() * 120_000 : undefined;
      if (backMs !== undefined) {
        rig.clock.schedule(backMs, () => {
          this.happened.returns += 1;
          provider.things.set(thing.id, thing);
        });
      }
    }
    const orphan = among((await rig.orphans()).filter(isOpenOrphan));
    if (orphan && random.next() < 0.1) {
      const data = { intentId: '00000000-0000-7000-8000-000000000002', orphan: orphan.key, reason: 'not ours' };
      await rig.given('fleet/orders', { type: 'davit.fleet.reap-approved', data });
    }
  }

  /** The little of orchestrator that a replica needs. */
  private async decide(ordinal: number): Promise<void> {
    const { random, rig } = this;
    const replica = await this.stateOf(ordinal);
    if (!replica) {
      if (random.next() < 0.2) await rig.requested(ordinal);
      return;
    }
    const { status, discovery, absence, resource, launch } = replica;
    switch (status) {
      case 'requested':
        if (discovery.outcome === 'absent' || discovery.outcome === 'present') await rig.launchRequested(ordinal);
        return;
      case 'launching': {
        const isLost = absence.confirmedAt !== null || resource?.phase === 'failed' || launch?.outcome === 'refused';
        if (isLost || (!this.calm && random.next() < 0.01)) await rig.deleteRequested(ordinal);
        return;
      }
      case 'deleting':
        if (absence.confirmedAt !== null) await rig.deleted(ordinal);
        return;
      case 'deleted':
        if (absence.confirmedAt === null) await rig.deleteRequested(ordinal);
        return;
      default:
        return;
    }
  }

  /** Things that no replica has a right to. */
  async unowned(): Promise<string[]> {
    const states = await Promise.all(REPLICAS.map((ordinal) => this.stateOf(ordinal)));
    const owned = new Set(
      states.flatMap((state) => (state?.status === 'launching' ? (state.resource?.providerId ?? []) : [])),
    );
    return [...this.provider.things.keys()].filter((id) => !owned.has(id));
  }
}

async function live(parameters: Crowd): Promise<CrowdedLife> {
  const life = new CrowdedLife(parameters);
  await life.run(100);
  life.end();
  // Time for whatever returns, and for the quarantines after that.
  await life.run(90);
  return life;
}

describe('any crowd of things of our names, with foreign hands, crashes and a provider in trouble', () => {
  test('nothing with a live owner is reaped, nothing unowned stays under `auto`, and what stays under the others is told', async () => {
    const total = { foreign: 0, duplicates: 0, losses: 0, returns: 0, crashes: 0, reaped: 0 };
    await fc.assert(
      fc.asyncProperty(crowd, async (parameters) => {
        const life = await live(parameters);
        const { rig, provider } = life;
        for (const name of ['foreign', 'duplicates', 'losses', 'returns', 'crashes'] as const)
          total[name] += life.happened[name];
        total.reaped += provider.reaped.length;
        expect(life.wronglyReaped).toEqual([]);
        const open = (await rig.orphans()).filter(isOpenOrphan);
        const unowned = await life.unowned();
        expect(unowned.toSorted()).toEqual(open.map(({ providerId }) => providerId ?? '').toSorted());
        if (parameters.policy === 'auto') expect(unowned).toEqual([]);
        if (parameters.policy === 'report') expect(provider.reaped).toEqual([]);
        expect(open.filter(({ policy, approved }) => policy === 'approve' && approved !== null)).toEqual([]);
        const alarms = (await rig.store.list('alarm')).map(({ key }) => key).toSorted();
        expect(alarms).toEqual(open.map(({ key }) => alarmKeyOf({ alarm: 'orphan', about: key })).toSorted());
        expect(checkLaws(rig.events, { ended: false })).toEqual([]);
      }),
      { numRuns: 40 },
    );
    // A crowd in which nothing happens proves nothing.
    expect(Object.entries(total).filter(([, count]) => count < 3)).toEqual([]);
  }, 120_000);
});
