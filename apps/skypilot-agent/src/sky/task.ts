import type { Placement } from '@davit/contracts';
import type { LaunchOrder } from '@davit/provider-kit';
import { stringify } from 'yaml';
import { serverCommand, shellQuote, surroundingsOf } from './engines.js';

/** Names by which SkyPilot knows clouds that it spells differently. */
const INFRA_NAMES: Readonly<Record<string, string>> = { kubernetes: 'k8s' };

export type TaskText = { readonly ok: true; readonly yaml: string } | { readonly ok: false; readonly detail: string };

/** The task file of one replica: one shape in one place, so that SkyPilot cannot choose other hardware. */
export function taskYaml({ externalKey, deployment, placement }: LaunchOrder): TaskText {
  const { spec } = deployment;
  if (spec.compute.mode !== 'elastic')
    return { ok: false, detail: `compute mode ${spec.compute.mode} rents no machine` };
  if (!placement) return { ok: false, detail: 'no placement was chosen, and nothing of this name exists' };
  const surroundings = surroundingsOf(spec.runtime);
  const command = serverCommand(spec);
  if (typeof surroundings === 'string') return { ok: false, detail: surroundings };
  if (command === undefined) return { ok: false, detail: 'spec.runtime.args is empty: write the command to run' };
  const task = {
    name: externalKey,
    num_nodes: 1,
    resources: {
      infra: infraOf(placement),
      ...(placement.accelerator === null
        ? {}
        : { accelerators: `${placement.accelerator.name}:${placement.accelerator.count}` }),
      disk_size: spec.compute.diskGiB,
      ...('image' in surroundings ? { image_id: `docker:${surroundings.image}` } : {}),
      ports: spec.runtime.port,
      use_spot: placement.spot,
    },
    ...(spec.secrets.length === 0 ? {} : { secrets: Object.fromEntries(spec.secrets.map(({ name }) => [name, null])) }),
    ...('setup' in surroundings ? { setup: surroundings.setup } : {}),
    run: `${'before' in surroundings ? surroundings.before : ''}${command.map(shellQuote).join(' ')}\n`,
  };
  return { ok: true, yaml: stringify(task, { lineWidth: 0 }) };
}

function infraOf({ cloud, region }: Placement): string {
  const name = INFRA_NAMES[cloud] ?? cloud;
  return region === null ? name : `${name}/${region}`;
}
