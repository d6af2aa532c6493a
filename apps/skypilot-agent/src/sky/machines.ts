import type { DeleteResult, InventoryRow, Subject } from '@davit/provider-kit';
import { externalKeyIn } from '@davit/domain';
import type { CloudWitness, WitnessedMachine } from '../witness/witness.js';
import type { Parsed } from './output.js';

/** A machine that a cloud itself shows, and which of our keys it belongs to. */
export interface OwnMachine extends WitnessedMachine {
  readonly externalKey: string;
  /** `<cloud>:<id>`, which tells it from every other machine anywhere. */
  readonly providerId: string;
  readonly source: string;
}

/** The clouds that are asked about. */
export type Clouds = ReadonlySet<string> | 'every';

/** Our machines as the clouds themselves show them, for as many clouds as there are witnesses. */
export class Machines {
  /** Address by which each key's recorded machine was reached last. Memory only; without it no duplicate is told apart. */
  private readonly addresses = new Map<string, string>();

  constructor(private readonly witnesses: readonly CloudWitness[]) {}

  /** Machines of one key; unreadable when one cloud on which it may be cannot be read. */
  async of(externalKey: string, clouds: Clouds, maxAgeMs: number): Promise<Parsed<readonly OwnMachine[]>> {
    const all = await this.all(externalKey, clouds, maxAgeMs);
    return all.ok ? { ok: true, value: all.value.filter((machine) => machine.externalKey === externalKey) } : all;
  }

  /** Machines of every key that begins with `prefix`, on these clouds. */
  async all(prefix: string, clouds: Clouds, maxAgeMs: number): Promise<Parsed<readonly OwnMachine[]>> {
    const asked = this.witnesses.filter(({ cloud }) => clouds === 'every' || clouds.has(cloud));
    const lists = await Promise.all(
      asked.map(async (witness) => ({ witness, list: await witness.list(prefix, maxAgeMs) })),
    );
    const machines: OwnMachine[] = [];
    for (const { witness, list } of lists) {
      if (list.outcome === 'unknown') return { ok: false, detail: list.detail };
      for (const machine of list.machines) {
        const externalKey = keyOf(machine.name);
        if (externalKey === undefined) continue;
        machines.push({
          ...machine,
          externalKey,
          providerId: `${witness.cloud}:${machine.id}`,
          source: witness.source,
        });
      }
    }
    return { ok: true, value: machines };
  }

  /** Whether the cloud itself can be asked. */
  isWitnessed(cloud: string): boolean {
    return this.witnesses.some((witness) => witness.cloud === cloud);
  }

  /** Who answers for these clouds beside SkyPilot, and for which of them nobody does. */
  sources(clouds: Clouds): readonly string[] {
    const answering = this.witnesses.filter(({ cloud }) => clouds === 'every' || clouds.has(cloud));
    const silent =
      clouds === 'every'
        ? ['other clouds: no witness beside sky status']
        : [...clouds]
            .filter((cloud) => !this.witnesses.some((witness) => witness.cloud === cloud))
            .map((cloud) => `${cloud}: no witness beside sky status`);
    return [...answering.map(({ source }) => source), ...silent];
  }

  terminate(providerId: string): Promise<DeleteResult> | undefined {
    const witness = this.witnesses.find(({ cloud }) => providerId.startsWith(`${cloud}:`));
    return witness?.terminate(providerId.slice(witness.cloud.length + 1));
  }

  remember(externalKey: string, url: string): void {
    this.addresses.set(externalKey, new URL(url).host);
  }

  forget(externalKey: string): void {
    this.addresses.delete(externalKey);
  }

  /** Which of several machines of one name is the one in use; undefined when that cannot be told. */
  recorded(externalKey: string, machines: readonly OwnMachine[]): OwnMachine | undefined {
    if (machines.length <= 1) return machines[0];
    const address = this.addresses.get(externalKey);
    const [found, ...more] = machines.filter(({ addresses }) => address !== undefined && addresses.includes(address));
    return more.length === 0 ? found : undefined;
  }
}

/**
 * A name on the cloud is the key, a user's hash and `-head`, and short enough never to be cut (26 + 9 of 35). The key alone
 * tells whose it is: the hash becomes another one with another account of the API server, and the machine goes on to bill.
 */
const keyOf = (name: string): string | undefined => (name.endsWith('-head') ? externalKeyIn(name) : undefined);

/** Every cloud on which a replica of this deployment may have been placed. */
export function cloudsOf({ deployment }: Pick<Subject, 'deployment'>): ReadonlySet<string> {
  const { compute } = deployment.spec;
  return new Set(compute.mode === 'elastic' ? compute.placements.map(({ cloud }) => cloud) : []);
}

export const rowOfMachine = (machine: OwnMachine): InventoryRow => {
  const { externalKey, phase, providerId, source, price, detail } = machine;
  return { externalKey, phase, providerId, source, price, detail };
};
