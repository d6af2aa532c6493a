import { type EnsureResult, type LaunchOrder, redact } from '@davit/provider-kit';
import { type SkyCli, type SkyReply, troubleOf } from './cli.js';
import { type FleetView, launchOf } from './fleet-view.js';
import { parseLaunchId } from './output.js';
import { resolveSecrets, type SecretSource } from './secrets.js';
import { taskYaml } from './task.js';
import type { TaskFiles } from './task-files.js';

export interface EnsureParts {
  readonly cli: SkyCli;
  readonly view: FleetView;
  readonly secrets: SecretSource;
  readonly files: TaskFiles;
  readonly timeoutMs: number;
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

  const task = taskYaml(order);
  if (!task.ok) return refused(task.detail);
  const secrets = resolveSecrets(deployment.spec.secrets, parts.secrets);
  if (!secrets.ok) return refused(secrets.detail);
  const file = await parts.files.write(externalKey, task.yaml).catch((error: unknown) => String(error));
  if (typeof file === 'string') {
    return { outcome: 'unknown', detail: `nothing was launched; the task file was not written: ${redact(file)}` };
  }
  try {
    const names = Object.keys(secrets.values).flatMap((name) => ['--secret', name]);
    const args = ['launch', '-c', externalKey, '-y', '--async', ...names, file.path];
    return outcomeOf(
      await parts.cli.run({
        args,
        timeoutMs: parts.timeoutMs,
        secrets: secrets.values,
        mayRun: () => order.holdsLease(),
      }),
    );
  } finally {
    await file.remove();
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
