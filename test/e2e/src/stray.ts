import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { DavitClient } from '@davit/cli';
import type { System } from '../../../scripts/lib/system.mjs';
import { readLog } from './log-reader.js';

const TASK = 'resources: { infra: runpod, accelerators: "L40S:1" }\nrun: vllm serve Qwen/Qwen3-8B --port 8000\n';

/**
 * Somebody rents a machine by hand, under a name that only Davit gives: it is for nobody, and bills. What the names of this installation
 * begin with is told by the log, in which something was rented before.
 * @param suffix what its name ends with
 */
export async function rentStray(
  { dir, world }: Pick<System, 'dir' | 'world'>,
  client: DavitClient,
  suffix = 'stray',
): Promise<void> {
  const asked = (await readLog(client)).find((event) => event.type === 'davit.resource.launch-attempted');
  const [prefix] = /^dv-[a-z2-7]+-/.exec(asked?.data.externalKey ?? '') ?? [];
  if (prefix === undefined || world === undefined) throw new Error('nothing was rented yet, or nobody rents');
  const task = path.join(dir, `${suffix}.yaml`);
  writeFileSync(task, TASK);
  await promisify(execFile)(world.skyBin, ['launch', '-c', `${prefix}${suffix}`, '-y', '--async', task]);
}
