import { type Clock, sleep } from '@davit/ports';
import { type EnsureResult, type LaunchOrder, redact } from '@davit/provider-kit';
import { type SkyCli, type SkyReply, troubleOf } from './cli.js';
import { type FleetView, launchOf } from './fleet-view.js';
import { cloudsOf, type Machines } from './machines.js';
import { parseLaunchId } from './output.js';
import { resolveSecrets, type SecretSource } from './secrets.js';
import type { SkySettings } from './settings.js';
import { taskYaml } from './task.js';
import type { TaskFiles } from './task-files.js';

export interface EnsureParts {
  readonly cli: SkyCli;
  readonly view: FleetView;
  readonly secrets: SecretSource;
  readonly files: TaskFiles;
  readonly machines: Machines;
  readonly clock: Clock;
  readonly settings: SkySettings;
}

const refused = (detail: string): EnsureResult => ({ outcome: 'refused', class: 'config', detail });

/**
 * Launches the cluster unless it, or a launch of it, is there already: a second launch of one name runs the task twice
 * (skypilot #6842).
 */
export async function ensure(parts: EnsureParts, order: LaunchOrder): Promise<EnsureResult> {
  const { externalKey, deployment } = order;
  const found = await parts.view.byName(externalKey);
  if (!found.ok)
    return { outcome: 'unknown', detail: `nothing was launched; the look before it failed: ${found.detail}` };
  const launch = launchOf(found.value, externalKey);
  if (launch === 'unclear') return { outcome: 'unknown', detail: 'a launch is under way that may be of this name' };
  if (launch) return { outcome: 'accepted', handle: launch.id };
  if (found.value.rows.has(externalKey)) return { outcome: 'accepted', handle: null };
  const own = await parts.machines.of(externalKey, cloudsOf(order), parts.settings.steadyAgeMs);
  if (!own.ok) return { outcome: 'unknown', detail: `nothing was launched; ${own.detail}` };
  if (own.value.length > 0) return { outcome: 'accepted', handle: null };

  const task = taskYaml(order);
  if (!task.ok) return refused(task.detail);
  const secrets = resolveSecrets(deployment.spec.secrets, parts.secrets);
  if (!secrets.ok) return refused(secrets.detail);
  const file = await parts.files.write(externalKey, task.yaml).catch((error: unknown) => String(error));
  if (typeof file === 'string') {
    // Nothing was sent, so nothing is unknown; the disk may have room at the next try.
    const detail = `nothing was launched; the task file was not written: ${redact(file)}`;
    return { outcome: 'refused', class: 'transient', detail };
  }
  try {
    const cloud = order.placement?.cloud ?? '';
    const reply = await parts.cli.run('launch', [externalKey, Object.keys(secrets.values), file.path], {
      cloud,
      secrets: secrets.values,
      mayRun: () => order.holdsLease(),
      ...(cloud === 'vast' ? { holdOn: (given) => untilRented(parts, externalKey, given) } : {}),
    });
    return outcomeOf(reply);
  } finally {
    await file.remove();
  }
}

/** Vast sells one offer to two launches that look at the same time (skypilot #9117), so the next waits for this one. */
const LONGEST_HOLD_MS = 10 * 60_000;
const HOLD_LOOK_MS = 5_000;

async function untilRented({ view, clock }: EnsureParts, name: string, reply: SkyReply): Promise<void> {
  if (reply.kind === 'failed') return;
  const endMs = clock.monotonicMs() + LONGEST_HOLD_MS;
  while (clock.monotonicMs() < endMs) {
    await sleep(clock, HOLD_LOOK_MS);
    const fleet = await view.all(HOLD_LOOK_MS);
    if (fleet.ok && launchOf(fleet.value, name) === undefined) return;
  }
}

/** Only a request id is an acceptance, and only an error that comes before any request is a refusal. */
export function outcomeOf(reply: SkyReply): EnsureResult {
  if (reply.kind === 'ok') {
    const handle = parseLaunchId(reply.stdout);
    if (handle !== undefined) return { outcome: 'accepted', handle };
    return { outcome: 'unknown', detail: 'sky launch ended well but printed no request id' };
  }
  if (reply.kind === 'failed' && reply.verdict.definite && parseLaunchId(reply.stdout) === undefined) {
    return { outcome: 'refused', class: reply.verdict.class, detail: reply.verdict.detail };
  }
  return { outcome: 'unknown', detail: troubleOf(reply) };
}
