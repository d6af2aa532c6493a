import { type SkyContext } from './context.js';
import { matching } from './status.js';
import { Aborted, bold, type SkyError, UsageError } from './text.js';

/** `sky down`. Absent clusters and failed terminations exit with 0. */
export async function down(context: SkyContext): Promise<void> {
  const { args, backend, caller, out, effects } = context;
  const all = args.has('--all') || args.has('--all-users');
  if (args.positional.length === 0 && !all) throw new UsageError('Missing argument: give cluster names or --all.');
  const clusters = matching(context, args.positional);
  if (clusters.length === 0) {
    if (args.positional.length > 0) out.line(`Cluster(s) not found: ${bold(args.positional.join(', '))}.`);
    out.line('Cluster(s) not found (tip: see `sky status`).');
    return;
  }
  if (!args.has('--yes')) {
    out.stdout += `Terminating ${clusters.length} cluster: ${clusters.map(({ name }) => name).join(', ')}. Proceed? [Y/n]: `;
    throw new Aborted();
  }
  out.line();
  const failures: string[] = [];
  const isAsync = args.has('--async');
  for (const cluster of clusters) {
    const request = backend.submitDown(cluster, caller.userHash, effects);
    if (isAsync) {
      out.line(`Submitted sky.Terminating request: ${request.id}`);
      out.line(`├── Check logs with: sky api logs ${request.id.slice(0, 8)}`);
      out.line(`└── To cancel the request, run: sky api cancel ${request.id.slice(0, 8)}\n`);
    } else await request.finished;
    if (request.error) {
      failures.push(cluster.name);
      out.line(failureText(cluster.name, request.error));
      if (args.has('--purge')) backend.clusters.delete(cluster.name);
    } else out.line(`Terminating cluster ${cluster.name}...done.`);
  }
  if (isAsync)
    out.line("Terminating requests are sent. Check the requests' status with `sky request get <request_id>`.");
  if (failures.length > 0) out.line('Cluster(s) failed. See details above.');
}

/** Errors of the cloud are printed bare, others with their class. */
const failureText = (name: string, error: SkyError): string =>
  error.className === 'CloudError'
    ? error.message
    : `Terminating cluster ${name}...failed. \nReason: ${error.printed}.`;
