import { type SkyContext } from './context.js';
import { onCloudName } from './backend.js';
import { type Cluster } from './state.js';
import { CLOUD_NAMES, LABELLED_CLOUDS } from './task.js';
import { Aborted, bold, SkyError, UsageError, yellow } from './text.js';

/** `sky status`: rows, or the address behind a port. */
export function status(context: SkyContext): void {
  const { args, backend, out } = context;
  const asksAddress = args.has('--ip') || args.has('--endpoints') || args.has('--endpoint');
  if (args.has('--refresh') && asksAddress)
    throw new UsageError(
      'Using --ip or --endpoint(s) with --refresh is notsupported for now. To fix, refresh first, then query the IP or endpoint.',
    );
  const port = args.integer('--endpoint');
  backend.runDaemon();
  if (args.jsonOutput) {
    out.json(listed(context).map((cluster) => record(cluster, context)));
    return;
  }
  if (asksAddress) {
    address(context, port);
    return;
  }
  out.line(bold('Clusters'));
  out.line('NAME  INFRA  RESOURCES  STATUS  AUTOSTOP  LAUNCHED');
  for (const cluster of listed(context))
    out.line(`${cluster.name}  ${infra(cluster)}  ${resources(cluster)}  ${cluster.status}  -  just now`);
}

/** Clusters that the patterns name, of all users; with no pattern, the caller's own. */
export function matching(context: SkyContext, patterns: readonly string[]): readonly Cluster[] {
  const clusters = [...context.backend.clusters.values()];
  if (patterns.length === 0)
    return clusters.filter(({ userHash }) => context.args.has('--all-users') || userHash === context.caller.userHash);
  return clusters.filter(({ name }) => patterns.some((pattern) => globMatches(pattern, name)));
}

function listed(context: SkyContext): readonly Cluster[] {
  const { args, backend, out } = context;
  let clusters = matching(context, args.positional);
  const absent = args.positional.filter((pattern) => !clusters.some(({ name }) => globMatches(pattern, name)));
  if (absent.length > 0) out.line(`Cluster(s) not found: ${bold(absent.join(', '))}.`);
  if (args.has('--refresh')) {
    clusters = clusters.filter((cluster) => {
      const gone = backend.refresh(cluster);
      if (gone) out.line(`Cluster ${bold(cluster.name)} (status: ${cluster.status}) was terminated on the cloud.`);
      return !gone;
    });
  }
  return clusters;
}

const globMatches = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(name);

function address(context: SkyContext, port: number | undefined): void {
  const { args, backend, out } = context;
  const [name = ''] = args.positional;
  if (args.positional.length !== 1)
    throw oneCluster(args.positional.length === 0 ? 'No cluster' : `${args.positional.length} clusters`, 'specified');
  const cluster = backend.clusters.get(name);
  if (!cluster) {
    out.line(`Cluster(s) not found: ${bold(name)}.`);
    throw oneCluster(`'${name}' cluster`, 'not found');
  }
  if (cluster.status !== 'UP') throw new SkyError('RuntimeError', `Cluster '${name}' is not in UP status.`);
  if (args.has('--ip')) {
    out.line(cluster.machine?.address.host ?? '');
    return;
  }
  const ports = port === undefined ? cluster.task.ports : [port];
  for (const wanted of ports) {
    if (!cluster.task.ports.includes(wanted)) {
      out.line(yellow(`Port ${wanted} is not exposed on cluster '${name}'.`));
      throw new Aborted();
    }
    const url = mapped(cluster, wanted, backend.clock.nowMs());
    if (url === null) {
      out.line(yellow(`Port ${wanted} not exposed yet. If the cluster started recently, ask again later. `));
      throw new Aborted();
    }
    out.line(port === undefined ? `${wanted}: ${url}` : url);
  }
}

/** Its text has a second line, so the class does not stand on the last line of stderr. */
const oneCluster = (count: string, verb: string): SkyError =>
  new SkyError(
    'ValueError',
    `${count} ${verb}. Please specify a single cluster to show its endpoint(s).\nUsage: \`sky status --endpoint port <cluster>\``,
  );

/** Where a port of the machine is reached from outside. Only the model server's port leads anywhere. */
function mapped(cluster: Cluster, port: number, nowMs: number): string | null {
  const { machine, endpointFromMs, endpointPort } = cluster;
  if (!machine || endpointFromMs === null || nowMs < endpointFromMs) return null;
  return endpointPort === null || endpointPort === port
    ? `${machine.address.host}:${machine.address.port}`
    : `${machine.address.host}:1`;
}

const infra = ({ machine, task }: Cluster): string => {
  const cloud = machine?.cloud ?? task.candidates[0]?.cloud ?? '';
  return CLOUD_NAMES[cloud] ?? cloud;
};

const shape = ({ machine, task }: Cluster): { accelerator: string; gpuCount: number } | undefined =>
  machine ?? task.candidates[0];

const resources = (cluster: Cluster): string => {
  const { accelerator = '', gpuCount = 0 } = shape(cluster) ?? {};
  return accelerator === '' ? '1x(cpus=4, mem=16)' : `1x(gpus=${accelerator}:${gpuCount}, cpus=4, mem=16, ...)`;
};

/** Tells a cluster that is being made from one that fell back. */
const initKind = (cluster: Cluster, active: boolean): string | null =>
  cluster.status !== 'INIT' ? null : active || !cluster.everUp ? 'launching' : 'unhealthy';

const initReason = ({ status, machine, task }: Cluster, active: boolean): string | null =>
  status === 'INIT' && active
    ? `Provisioning on ${machine?.cloud ?? task.candidates[0]?.cloud ?? ''} in ${machine?.region ?? 'US'}`
    : null;

/** Filled in when the first launch has ended. */
const namesOnCloud = (cluster: Cluster): Readonly<Record<string, string | null>> => ({
  cluster_name_on_cloud: cluster.everUp ? onCloudName(cluster) : null,
  node_names: cluster.everUp ? (cluster.machine?.name ?? null) : null,
});

/** One row with exactly the keys of `sky/schemas/api/responses.py` in release 0.14.1. */
function record(cluster: Cluster, { args, backend, futureKeys }: SkyContext): Readonly<Record<string, unknown>> {
  const { accelerator = '', gpuCount = 0 } = shape(cluster) ?? {};
  const cloud = cluster.machine?.cloud ?? cluster.task.candidates[0]?.cloud ?? '';
  const verbose = args.has('--verbose');
  const active = backend.activeLaunches(cluster.name).length > 0;
  return {
    name: cluster.name,
    status: cluster.status,
    launched_at: Math.floor(cluster.launchedAtMs / 1000),
    cluster_hash: cluster.hash,
    cluster_ever_up: cluster.everUp,
    status_updated_at: Math.floor(cluster.statusUpdatedAtMs / 1000),
    autostop: -1,
    to_down: false,
    user_hash: cluster.userHash,
    user_name: cluster.userName,
    workspace: 'default',
    owner: null,
    cloud: infra(cluster),
    region: cluster.machine?.region ?? 'US',
    cpus: '4',
    memory: '16',
    accelerators: accelerator === '' ? null : `{'${accelerator}': ${gpuCount}}`,
    nodes: 1,
    resources_str: resources(cluster),
    resources_str_full: resources(cluster),
    labels: (LABELLED_CLOUDS.has(cloud) ? cluster.task.labels : null) ?? {},
    ...namesOnCloud(cluster),
    is_managed: false,
    last_use: '',
    last_event: null,
    init_kind: initKind(cluster, active),
    init_status_reason: initReason(cluster, active),
    priority: 0,
    priority_class: null,
    links: null,
    metadata: null,
    config_hash: null,
    last_creation_yaml: verbose ? `run: ${JSON.stringify(cluster.task.run)}\n` : null,
    last_creation_command: verbose ? `sky launch -c ${cluster.name}` : null,
    ...(futureKeys ? { placement_hint: { zone: null } } : {}),
  };
}
