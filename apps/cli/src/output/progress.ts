import type { DeploymentView, ReplicaView } from '@davit/contracts';
import { age, table } from './table.js';
import { leftText, placementText, whyText } from './views.js';

/** Rewrites a block of lines on a terminal; elsewhere prints a line whenever a replica changes state. */
export class Progress {
  private lines = 0;
  private readonly told = new Map<string, string>();

  constructor(
    private readonly out: NodeJS.WriteStream,
    private readonly quiet: boolean,
  ) {}

  show(replicas: readonly ReplicaView[], nowMs: number): void {
    if (this.quiet) return;
    if (this.out.isTTY) this.redraw(replicas, nowMs);
    else this.tellChanges(replicas, nowMs);
  }

  private redraw(replicas: readonly ReplicaView[], nowMs: number): void {
    const rows = replicas.map((row) => [
      `  ${shortId(row.id)}`,
      placementText(row.placement),
      row.state,
      age(row.since, nowMs),
      whyText(row, nowMs),
    ]);
    const text = table(['  REPLICA', 'PLACEMENT', 'STATE', 'SINCE', 'WHY'], rows, this.out.columns);
    if (this.lines > 0) this.out.write(`\u001b[${this.lines}A\u001b[J`);
    this.out.write(`${text}\n`);
    this.lines = text.split('\n').length;
  }

  private tellChanges(replicas: readonly ReplicaView[], nowMs: number): void {
    for (const row of replicas) {
      const text = row.why === '' ? row.state : `${row.state}: ${row.why}`;
      if (this.told.get(row.id) === text) continue;
      this.told.set(row.id, text);
      const left = leftText(row, nowMs);
      this.out.write(`  ${shortId(row.id)}  ${text}${left === '' ? '' : `; ${left}`}\n`);
    }
  }
}

const shortId = (id: string): string => id.slice(id.indexOf('/') + 1);

/** True when everything the given generation asked for is so. */
export function isConverged(view: DeploymentView | undefined, generation: number): boolean {
  if (!view || view.status !== 'active' || view.generation < generation) return false;
  const progressing = view.conditions.find(({ condition }) => condition === 'Progressing');
  return (
    view.activeRevision === view.revision &&
    view.readyReplicas === view.desiredReplicas &&
    progressing?.reason === 'Converged'
  );
}
