import type { EventLog } from '../event-log.js';

/**
 * Reads the log from the start while others write, remembering only its place: what it does not see at first, it never
 * sees. Throws when a page does not follow on.
 */
export class TailReader {
  readonly ids: string[] = [];
  private stopping = false;
  private readonly running: Promise<void>;

  constructor(private readonly log: EventLog) {
    this.running = this.run();
    // Reported by `finish`.
    this.running.catch(() => undefined);
  }

  /** Reads to the end and answers with the ids in the order seen. */
  async finish(): Promise<readonly string[]> {
    this.stopping = true;
    await this.running;
    while (await this.page());
    return this.ids;
  }

  private async run(): Promise<void> {
    while (!this.stopping) await this.page();
  }

  private async page(): Promise<boolean> {
    const events = await this.log.read(this.ids.length, 7);
    for (const { id, position } of events) {
      if (position !== this.ids.length + 1) throw new Error(`after ${this.ids.length} the reader saw ${position}`);
      this.ids.push(id);
    }
    return events.length > 0;
  }
}
