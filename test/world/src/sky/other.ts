import { type SkyContext } from './context.js';
import { matching } from './status.js';
import { SkyError, UsageError, yellow } from './text.js';

/** `sky queue`: prose first, even before JSON. */
export function queue(context: SkyContext): void {
  const { args, out } = context;
  const clusters = matching(context, args.positional);
  if (!args.jsonOutput) out.line('Fetching and parsing job queue...');
  out.line(
    `Fetching job queue for: ${args.positional.length > 0 ? args.positional.join(', ') : clusters.map(({ name }) => name).join(', ')}`,
  );
  for (const name of args.positional.filter((wanted) => !clusters.some((cluster) => cluster.name === wanted))) {
    out.line(yellow(`Failed to get the job queue for cluster '${name}'.`));
    out.line(`  sky.exceptions.ClusterDoesNotExist: Cluster '${name}' does not exist.`);
  }
  const jobs = Object.fromEntries(
    clusters
      .filter(({ status }) => status === 'UP')
      .map((cluster) => [
        cluster.name,
        cluster.jobs.map((job) => ({
          job_id: job.id,
          job_name: cluster.task.name ?? '-',
          username: cluster.userName,
          user_hash: cluster.userHash,
          submitted_at: job.submittedAtMs / 1000,
          start_at: job.submittedAtMs / 1000,
          end_at: job.endedAtMs === null ? null : job.endedAtMs / 1000,
          resources: '1x',
          status: cluster.machine?.serverExited === true && job.status === 'RUNNING' ? 'FAILED' : job.status,
          log_path: `~/sky_logs/${job.id}`,
          metadata: {},
          links: {},
        })),
      ]),
  );
  for (const { name } of clusters.filter(({ status }) => status !== 'UP'))
    out.line(`Failed to get the job queue for cluster '${name}'.`);
  if (args.jsonOutput) out.json(jobs);
}

/** `sky logs`: provision log, job status or job output. */
export function logs({ args, backend, out }: SkyContext): void {
  const [name] = args.positional;
  if (name === undefined) throw new UsageError("Missing argument 'CLUSTER'.");
  const cluster = backend.clusters.get(name);
  const tail = args.integer('--tail') ?? 0;
  if (!cluster && args.has('--provision')) throw noProvisionLog();
  if (!cluster) throw new SkyError('ClusterDoesNotExist', `Cluster '${name}' does not exist.`);
  if (args.has('--provision')) {
    for (const line of cluster.provisionLog.slice(-tail)) out.line(line);
    return;
  }
  if (cluster.status !== 'UP')
    throw new SkyError('ClusterNotUpError', `Cluster '${name}' is not up (status: ${cluster.status}).`);
  const job = cluster.jobs.at(-1);
  if (args.has('--status')) {
    out.line(`Job ${job?.id ?? 0}: ${job?.status ?? 'NOT_FOUND'}`);
    return;
  }
  out.line(cluster.jobLog ?? job?.failure ?? 'INFO: started the server process');
}

/** Its text goes on for two more lines, so the class does not stand on the last line of stderr. */
const noProvisionLog = (): SkyError =>
  new SkyError(
    'CommandError',
    'Command tail_provision_logs failed with return code 404.\nFailed to stream provision logs\n{"detail":"Provision log path is not recorded for this cluster. Please relaunch to generate provisioning logs."}',
  );

export function check({ args, out }: SkyContext): void {
  const enabled = { default: { RunPod: ['compute'], Vast: ['compute'], Kubernetes: ['compute'] } };
  if (args.jsonOutput) {
    out.json(enabled);
    return;
  }
  out.line('Enabled infra: RunPod [compute], Vast [compute], Kubernetes [compute]');
}

export function costReport({ args, backend, out }: SkyContext): void {
  const rows = [...backend.clusters.values()].map((cluster) => ({
    name: cluster.name,
    status: cluster.status,
    launched_at: Math.floor(cluster.launchedAtMs / 1000),
    duration: Math.floor((backend.clock.nowMs() - cluster.launchedAtMs) / 1000),
    total_cost: ((backend.clock.nowMs() - cluster.launchedAtMs) / 3_600_000) * (cluster.machine?.pricePerHour ?? 0),
    resources: null,
  }));
  if (args.jsonOutput) {
    out.json(rows);
    return;
  }
  for (const row of rows) out.line(`${row.name}  $${row.total_cost.toFixed(2)}`);
}
