import { parseDeployment } from '@davit/contracts';
import { type EnsureResult, type LaunchOrder, type ObserveHints, type ObserveResult } from '@davit/provider-kit';
import { type WorldProcess, eventually } from '@davit/test-support';
import { NO_SHOW } from './cases.js';
import type { Client } from './client.js';
import type { Output } from './shape.js';
import { ledgerOf } from './world.js';

export const RENTED = 'dv-abcde-rentedrentedrent';
const LONGEST_MS = 180_000;
const LOOK_MS = 2_000;

export interface RentReport {
  /** What was seen, in order, in words. */
  readonly steps: readonly string[];
  /** Outputs of the plain command while the launch was under way and after it, by case. */
  readonly outputs: Readonly<Record<string, Output>>;
  readonly faults: readonly string[];
}

/**
 * A machine rented and given back through the adapter. The outside gives a pod no SSH address, so the launch goes as far as a
 * client can go without an operating system at the other end: the pod is there, and SkyPilot waits for it.
 */
export async function rentAndReturn(client: Client, world: WorldProcess): Promise<RentReport> {
  const steps: string[] = [];
  const faults: string[] = [];
  const outputs: Record<string, Output> = {};
  const say = (step: string): void => void steps.push(step);
  const want = (what: string, holds: boolean): void => {
    if (holds) say(what);
    else faults.push(`not so: ${what}`);
  };
  const { backend } = client;
  const order = orderOf(RENTED);

  want('discover says absent', (await backend.discover(RENTED, order)).outcome === 'absent');
  const ensured: EnsureResult = await backend.ensure(order);
  want(
    `ensure is accepted with a request id (${text(ensured)})`,
    ensured.outcome === 'accepted' && ensured.handle !== null,
  );
  const handle = ensured.outcome === 'accepted' ? ensured.handle : null;
  want('discover sees the launch at once', (await backend.discover(RENTED, order)).outcome === 'present');
  want('a second ensure is the same launch', text(await backend.ensure(order)) === text(ensured));

  const seen = await until(async () => {
    const rented = (await ledgerOf(world)).running === 1;
    const found = await backend.observe(RENTED, hints(order, handle));
    return rented && found.outcome === 'present' ? found : undefined;
  });
  want(`one machine was rented, and observe says ${seen === undefined ? 'nothing' : text(seen)}`, seen !== undefined);
  outputs['a cluster that starts'] = await client.run('status', '-o', 'json', ...NO_SHOW);
  outputs['a launch under way'] = await client.run('api', 'status', '-o', 'json', '-v', '-c', RENTED, '-l', 'none');
  outputs['the endpoint of a cluster that starts'] = await client.run('status', RENTED, '--endpoint', '8000');
  const listed = await backend.inventory('dv-abcde-');
  want(`the inventory lists it (${text(listed)})`, listed.outcome === 'listed' && listed.rows.some(isRented));

  want('delete is accepted', (await backend.delete(RENTED, order)).outcome === 'accepted');
  const gone = await until(async () => {
    const found = await backend.observe(RENTED, { ...hints(order, handle), purpose: 'absence', askedAtMs: Date.now() });
    return found.outcome === 'absent' ? found : undefined;
  });
  want('it is absent by key', gone !== undefined);
  const after = await backend.inventory('dv-abcde-');
  want(`the inventory is empty (${text(after)})`, after.outcome === 'listed' && after.rows.length === 0);
  const ledger = await ledgerOf(world);
  want(`the outside rented one machine and none runs`, ledger.running === 0 && ledger.everCreated === 1);
  outputs['the log of a cancelled launch'] = await client.run('api', 'logs', handle ?? '');
  return { steps, outputs, faults };
}

const isRented = ({ externalKey }: { readonly externalKey: string }): boolean => externalKey === RENTED;

const text = (value: EnsureResult | ObserveResult | object): string => JSON.stringify(value);

/** What the look finds in the end; undefined when it never does. */
const until = <Value>(look: () => Promise<Value | undefined>) =>
  eventually(look, { timeoutMs: LONGEST_MS, everyMs: LOOK_MS }).catch(() => undefined);

export function orderOf(externalKey: string): LaunchOrder {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'accept' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
      runtime: { engine: 'vllm', version: '0.11.0' },
      compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
      scaling: { replicas: 1 },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { compute } = parsed.deployment.spec;
  const placement = compute.mode === 'elastic' ? (compute.placements[0] ?? null) : null;
  const subject = { externalKey, replicaId: 'default/accept-1-0-1', ordinal: 0, deployment: parsed.deployment };
  return { ...subject, placement, holdsLease: () => Promise.resolve(true) };
}

function hints(order: LaunchOrder, handle: string | null): ObserveHints {
  return {
    subject: order,
    purpose: 'follow',
    askedAtMs: Date.now(),
    launching: true,
    mayBeInvisible: true,
    billed: false,
    handle,
    url: null,
    providerId: null,
  };
}
