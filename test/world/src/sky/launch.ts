import { seal } from '../seal.js';
import { effectOf } from '../faults.js';
import { type LaunchPlan } from './backend.js';
import { type SkyContext } from './context.js';
import { parseTask, type Task } from './task.js';
import { Aborted, cancelledRequest, SkyError, UsageError, yellow } from './text.js';

const SEALED = /^(\w+)=sealed:([0-9a-f]+)$/;

/** `sky launch`. Capacity, quota and credentials show only on the request, long after the exit. */
export async function launch(context: SkyContext): Promise<void> {
  const { args, out, backend, caller } = context;
  const cluster = args.get('--cluster') ?? `sky-${backend.newId(4)}-${caller.userName}`;
  const secrets = commandLineSecrets(context);
  const task = readTask(context);
  checkName(cluster);
  const plan: LaunchPlan = {
    cluster,
    task: { ...task, secrets: Object.fromEntries(Object.keys(task.secrets).map((name) => [name, null])) },
    secrets: taskSecrets(task, secrets, context.salt),
    userHash: caller.userHash,
    userName: caller.userName,
  };
  if (args.has('--dryrun')) {
    out.line(yellow('Dryrun finished.'));
    return;
  }
  if (!args.has('--yes')) {
    out.stdout += `Launching a new cluster '${cluster}'. Proceed? [Y/n]: `;
    throw new Aborted();
  }
  out.line(`Running on cluster: ${cluster}`);
  const request = backend.submitLaunch(plan, context.effects);
  if (effectOf(context.effects, 'duplicate-request')) backend.submitLaunch(plan, []);
  if (args.has('--async') && !args.has('--no-async')) {
    out.line(`Submitted sky.launch request: ${request.id}`);
    out.line(`├── Check logs with: sky api logs ${request.id.slice(0, 8)}`);
    out.line(`└── To cancel the request, run: sky api cancel ${request.id.slice(0, 8)}`);
    out.line();
    return;
  }
  await request.finished;
  for (const line of request.log) out.line(yellow(line));
  if (request.error) throw request.error;
  if (request.status === 'CANCELLED') throw cancelledRequest(request.id);
}

function readTask({ args, out, caller }: SkyContext): Task {
  const [path] = args.positional;
  if (path === undefined) throw new UsageError("Missing argument 'ENTRYPOINT...'.");
  const overrides: Record<string, unknown> = {};
  for (const [option, key] of OVERRIDES) {
    const given = args.get(option);
    if (given !== undefined) overrides[key] = given;
  }
  const source = caller.files[path];
  if (source !== undefined && source !== null) {
    out.line(`YAML to run: ${path}`);
    const task = parseTask(source, overrides);
    if (task) return task;
    if (/^\s*- /.test(source)) throw new SkyError('TypeError', 'list indices must be integers or slices, not str');
  }
  if (/\.ya?ml$/.test(path)) {
    out.stdout += `'${path}' looks like a yaml path but does not exist. Please check if the path is correct.\nIt will be treated as a command to be run remotely. Continue? [y/N]: `;
    throw new Aborted();
  }
  return parseTask(`run: ${JSON.stringify(args.positional.join(' '))}`, overrides) ?? unreachable();
}

const OVERRIDES = [
  ['--infra', 'infra'],
  ['--gpus', 'accelerators'],
  ['--image-id', 'image_id'],
  ['--ports', 'ports'],
  ['--disk-size', 'disk_size'],
] as const;

function unreachable(): never {
  throw new SkyError('AssertionError', 'a command makes a task');
}

/** Digests of `--env-file`, `--secret-file` and `--secret`, the later ones winning. */
function commandLineSecrets({ args, caller }: SkyContext): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const option of ['--env-file', '--secret-file']) {
    const file = args.get(option);
    if (file === undefined) continue;
    const variables = caller.sealedDotenv[file];
    if (!variables) throw new UsageError(`Invalid value for '${option}': cannot read '${file}'.`);
    Object.assign(secrets, variables);
  }
  for (const given of args.all('--secret')) {
    const inline = SEALED.exec(given);
    const name = inline?.[1] ?? given;
    const sealed = inline?.[2] ?? caller.sealedEnv[name];
    if (sealed === undefined) throw new UsageError(`${name} is not set in local environment.`);
    secrets[name] = sealed;
  }
  return secrets;
}

function taskSecrets(
  task: Task,
  given: Readonly<Record<string, string>>,
  salt: string,
): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = { ...given };
  for (const [name, literal] of Object.entries(task.secrets)) {
    if (name in given) continue;
    if (literal === null)
      throw new SkyError('ValueError', `Secret '${name}' has no value. Set it with --secret ${name}=value.`);
    secrets[name] = seal(salt, literal);
  }
  return secrets;
}

function checkName(name: string): void {
  if (/^sky-(jobs|serve)-controller-/.test(name))
    throw new SkyError('ValueError', `Cluster name '${name}' is reserved for a controller.`);
}
