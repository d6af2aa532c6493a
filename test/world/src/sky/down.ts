import { type SkyContext } from './context.js';
import { matching } from './status.js';
import { Aborted, bold, UsageError, yellow } from './text.js';

/** `sky down`. Absent clusters and failed terminations exit with 0. */
export async function down(context: SkyContext): Promise<void> {
  const { args, backend, caller, out, effects } = context;
  const all = args.has('--all') || args.has('--all-users');
  if (args.positional.length === 0 && !all) throw new UsageError('Missing argument: give cluster names or --all.');
  const clusters = matching(context, args.positional);
  if (clusters.length === 0) {
    out.line(`Cluster(s) not found (tip: see ${bold('`sky status`')}).`);
    return;
  }
  if (!args.has('--yes')) {
    out.stdout += `Terminating ${clusters.length} cluster: ${clusters.map(({ name }) => name).join(', ')}. Proceed? [Y/n]: `;
    throw new Aborted();
  }
  let failed = false;
  for (const cluster of clusters) {
    const request = backend.submitDown(cluster, caller.userHash, effects);
    if (args.has('--async')) {
      out.line(`Submitted sky.Terminating request: ${request.id}`);
      out.line(`Check status with: ${bold(`sky request get ${request.id}`)}`);
      out.line(yellow(`Terminating cluster ${cluster.name}...done.`));
      continue;
    }
    await request.finished;
    if (request.error) {
      failed = true;
      out.line(`\u001b[31mTerminating cluster ${cluster.name}...failed.\u001b[0m Reason: ${request.error.message}`);
      if (args.has('--purge')) backend.clusters.delete(cluster.name);
    } else out.line(`\u001b[32mTerminating cluster ${cluster.name}...done.\u001b[0m`);
  }
  if (failed) out.line('Cluster(s) failed. See details above.');
}
