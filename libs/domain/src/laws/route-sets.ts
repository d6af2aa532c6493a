import type { RecordedEvent } from '@davit/contracts';
import type { Report } from './violation.js';

/** Whether each published set is what was registered and not withdrawn: nothing appears in it, or goes, without an event that says so. */
export class RouteSets {
  private readonly byAlias = new Map<string, Set<string>>();

  constructor(private readonly report: Report) {}

  see(event: RecordedEvent): void {
    switch (event.type) {
      case 'davit.route.registered':
        this.of(event.data.alias).add(event.data.target.replica);
        break;
      case 'davit.route.withdrawn':
        this.of(event.data.alias).delete(event.data.replica);
        break;
      case 'davit.route.snapshot-published': {
        const { alias, targets } = event.data;
        this.compare(event, alias, new Set(targets.map(({ replica }) => replica)));
        break;
      }
      default:
    }
  }

  private of(alias: string): Set<string> {
    const held = this.byAlias.get(alias) ?? new Set<string>();
    this.byAlias.set(alias, held);
    return held;
  }

  private compare(event: RecordedEvent, alias: string, published: ReadonlySet<string>): void {
    const told = this.of(alias);
    for (const replica of told)
      if (!published.has(replica))
        this.report(event, replica, `left the routes of ${alias} without an event that says so`);
    for (const replica of published)
      if (!told.has(replica))
        this.report(event, replica, `came into the routes of ${alias} without an event that says so`);
    if (told.size === 0) this.byAlias.delete(alias);
  }
}
