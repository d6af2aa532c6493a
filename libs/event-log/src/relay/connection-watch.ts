import { Events, type NatsConnection, type QueuedIterator, type Status } from 'nats';

/** Tells when the broker goes away and when it comes back; the client itself lets calls wait for answers that cannot come. */
export class ConnectionWatch {
  private readonly statuses: QueuedIterator<Status>;
  private readonly waiting = new Set<() => void>();

  constructor(
    connection: NatsConnection,
    private readonly onBack: () => void,
  ) {
    // Typed by the client as a plain iterable, yet made by it as an iterator that can be stopped.
    this.statuses = connection.status() as QueuedIterator<Status>;
    void this.listen();
  }

  /** Settles with undefined when the connection is lost before `work` is done. */
  unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
    // Not a race with one promise for all: that one would keep every work it ever raced with.
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(undefined);
      this.waiting.add(giveUp);
      void work.then(resolve, reject).finally(() => this.waiting.delete(giveUp));
    });
  }

  close(): void {
    this.statuses.stop();
  }

  private async listen(): Promise<void> {
    for await (const { type } of this.statuses) {
      if (type === Events.Disconnect) {
        for (const giveUp of this.waiting) giveUp();
        this.waiting.clear();
      } else if (type === Events.Reconnect) {
        this.onBack();
      }
    }
  }
}
