import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DavitClient } from '@davit/cli';
import { Scenario, WorldClient, rentStray, waitFor } from '@davit/e2e';
import { parse } from 'yaml';
import type { System } from '../../../../scripts/lib/system.mjs';

const example = (name: string): string => fileURLToPath(new URL(`../../../../docs/examples/${name}`, import.meta.url));
const ELASTIC = example('qwen3-8b.yaml');
const EVIDENCE = example('vast-evidence.yaml');
const PATIENCE_MS = 180_000;

/** What may be ended by a made-up request; all else outlives the run. */
export const SPARE = ['spare-a', 'spare-b'] as const;

const STRAYS = ['stray-a', 'stray-b'];

type Manifest = { readonly metadata: { readonly name: string }; readonly spec: object };

export interface Fleet {
  readonly url: string;
  readonly client: DavitClient;
  /** As they were declared, by whom a made-up request may declare them again. */
  readonly manifests: readonly object[];
}

/**
 * A fleet with a past to ask about: replicas that serve, one that died and was healed, a revision that replaced another, a deployment
 * that is gone, a rollout on evidence that waits, a budget that is exceeded, an alarm, machines without an owner, and a tenant's key.
 */
export async function bringUpFleet(system: System, tell: (line: string) => void): Promise<Fleet> {
  const { urls, natsUrl, world: info } = system;
  const { 'spec-api': url } = urls;
  if (url === undefined || info === undefined) throw new Error('the system has no front door, or no simulated outside');
  const client = new DavitClient(url);
  const world = new WorldClient(info.controlUrl);
  const parts = { client, world, natsUrl, manifestFile: ELASTIC, tell, patienceMs: PATIENCE_MS };
  const lived = new Scenario(parts);
  await lived.deploy();
  await lived.heal();
  await lived.update();
  const gone = new Scenario({ ...parts, name: 'gone' });
  await gone.deploy();
  await gone.remove();
  for (const suffix of STRAYS) await rentStray(system, client, suffix);
  const elastic = read(ELASTIC);
  const spares = SPARE.map((name) => ({ ...elastic, metadata: { ...elastic.metadata, name } }));
  for (const deployment of spares) await client.apply({ deployment });
  const evidence = read(EVIDENCE);
  await client.apply({ deployment: evidence });
  const isActive = async (): Promise<boolean> =>
    (await client.deployment('default', evidence.metadata.name))?.activeRevision === 1;
  await until('the serverless deployment serves', isActive);
  const changed = JSON.parse(JSON.stringify(evidence).replace('8192', '4096')) as object;
  await client.apply({ deployment: changed });
  await until('a rollout waits for a word', async () =>
    (await client.rollouts()).some(({ waiting }) => waiting !== null),
  );
  // Lower than what is rented: an alarm is raised, and made-up deployments wait for room.
  await client.setBudget({ tenant: 'default', budget: { maxHourly: '3.00', currency: 'USD', onExceed: 'refuse' } });
  await until('an alarm is raised', async () => (await client.alarms()).length > 0);
  await until('what has no owner is found', async () => (await client.orphans()).length >= STRAYS.length);
  await client.createKey({ name: 'fuzz', role: 'viewer', tenants: ['default'], expiresAt: null });
  return { url, client, manifests: [elastic, ...spares, changed] };
}

const until = (what: string, holds: () => Promise<boolean>): Promise<true> =>
  waitFor(what, async () => ((await holds()) ? true : undefined), { timeoutMs: PATIENCE_MS, everyMs: 200 });

/** A specification of this repository, whose fields are there. */
const read = (file: string): Manifest => parse(readFileSync(file, 'utf8')) as Manifest;
