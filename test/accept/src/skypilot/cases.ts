import type { Client } from './client.js';
import type { Output } from './shape.js';

export interface Case {
  readonly name: string;
  /** Names that the case makes up; taken out before shapes are compared. */
  readonly names: readonly string[];
  run(client: Client): Promise<Output>;
}

export const NO_SHOW = ['--no-show-managed-jobs', '--no-show-services', '--no-show-pools'] as const;
const ABSENT = 'dv-abcde-absentabsentabsen';

const one = (name: string, ...args: readonly string[]): Case => ({
  name,
  names: [ABSENT],
  run: (client) => client.run(...args),
});

const launch = (name: string, yaml: string, cluster = ABSENT, ...options: readonly string[]): Case => ({
  name,
  names: [cluster],
  run: async (client) =>
    client.run('launch', '-c', cluster, '-y', '--async', ...options, await client.file('case.yaml', yaml)),
});

/** A task that any machine could run, with some of its lines changed. */
export function taskYaml(name: string, changes: Readonly<Record<string, string>> = {}): string {
  const resources = {
    infra: 'runpod',
    accelerators: 'L40S:1',
    disk_size: '120',
    image_id: 'docker:vllm/vllm-openai:v0.11.0',
    ports: '8000',
    ...changes,
  };
  const lines = Object.entries(resources).map(([key, value]) => `  ${key}: ${value}`);
  return `name: ${name}\nresources:\n${lines.join('\n')}\nrun: |\n  vllm serve Qwen/Qwen3-8B --port 8000\n`;
}

/** What can be asked without an account: the same answer in the same form is wanted of the real client and of the fake. */
export const CASES_WITHOUT_ACCOUNT: readonly Case[] = [
  one('inventory of nothing', 'status', '-o', 'json', ...NO_SHOW),
  one('an absent cluster', 'status', '-o', 'json', ABSENT),
  one('an absent cluster, refreshed', 'status', '-o', 'json', '-r', ABSENT),
  one('requests for an absent cluster', 'api', 'status', '-o', 'json', '-v', '-c', ABSENT, '-l', 'none'),
  one('the endpoint of an absent cluster', 'status', ABSENT, '--endpoint', '8000'),
  one('termination of an absent cluster', 'down', '-y', ABSENT),
  one('the provision log of an absent cluster', 'logs', ABSENT, '--provision', '--no-follow', '--tail', '200'),
  one('the job queue of an absent cluster', 'queue', '-o', 'json', ABSENT),
  one('cancelling a request that never was', 'api', 'cancel', '00000000-0000-4000-8000-000000000000', '-y'),
  one('the log of a request that never was', 'api', 'logs', '00000000-0000-4000-8000-000000000000'),
  one('an option that does not exist', 'status', '--no-such-option'),
  one('refresh together with an endpoint', 'status', '-r', ABSENT, '--endpoint', '8000'),
  launch('a task that is no mapping', '- a\n- b\n'),
  launch('a field that does not exist', `${taskYaml(ABSENT)}nonsense: 1\n`),
  launch('a cloud that does not exist', taskYaml(ABSENT, { infra: 'nowhere' })),
  launch('a cluster name that is not allowed', taskYaml(ABSENT), '9-not-a-name'),
  launch('a secret that is not set', taskYaml(ABSENT), ABSENT, '--secret', 'NOT_SET_ANYWHERE'),
  {
    name: 'a task file that is not there',
    names: [ABSENT],
    run: (client) => client.run('launch', '-c', ABSENT, '-y', '--async', `${client.home}/missing.yaml`),
  },
];
