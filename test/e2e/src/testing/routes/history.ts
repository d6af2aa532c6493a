import type { RecordedEvent } from '@davit/contracts';

type Verdict = { readonly atMs: number; readonly position: number; readonly isWell: boolean };

/** What the log says of the routes of one alias, and of the incarnations behind them. */
export class RouteHistory {
  private readonly published = new Set<string>();
  private readonly verdicts = new Map<string, Verdict[]>();
  private readonly registrations: { readonly replica: string; readonly position: number }[] = [];

  constructor(events: readonly RecordedEvent[], alias: string) {
    for (const event of events) this.see(event, alias);
  }

  get snapshots(): number {
    return this.published.size;
  }

  wasPublished(replicas: readonly string[]): boolean {
    return this.published.has(String(replicas));
  }

  /** Registrations of incarnations whose last verdict in the log before them was not that they are well. */
  unprovenRegistrations(): readonly string[] {
    return this.registrations
      .filter(({ replica, position }) => {
        const before = (this.verdicts.get(replica) ?? []).filter((verdict) => verdict.position < position);
        return before.at(-1)?.isWell !== true;
      })
      .map(({ replica, position }) => `${replica} at ${position}`);
  }

  /** True when it was found dead before `fromMs` and not well again before `toMs`. */
  wasDeadSince(replica: string, fromMs: number, toMs: number): boolean {
    const known = this.verdicts.get(replica) ?? [];
    const before = known.filter(({ atMs }) => atMs < fromMs).at(-1);
    return before?.isWell === false && !known.some(({ atMs, isWell }) => isWell && atMs >= fromMs && atMs <= toMs);
  }

  private see(event: RecordedEvent, alias: string): void {
    const { position } = event;
    const atMs = Date.parse(event.time);
    switch (event.type) {
      case 'davit.runtime.became-ready':
      case 'davit.runtime.became-unready':
      case 'davit.replica.failed': {
        const { replicaId } = event.data;
        const known = this.verdicts.get(replicaId) ?? [];
        this.verdicts.set(replicaId, known);
        known.push({ atMs, position, isWell: event.type === 'davit.runtime.became-ready' });
        return;
      }
      case 'davit.route.registered':
        if (event.data.alias === alias) this.registrations.push({ replica: event.data.target.replica, position });
        return;
      case 'davit.route.snapshot-published':
        if (event.data.alias !== alias) return;
        this.published.add(String(event.data.targets.map(({ replica }) => replica).sort()));
        return;
      default:
    }
  }
}
