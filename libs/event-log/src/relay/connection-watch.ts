import { Events, type NatsConnection, type QueuedIterator, type Status } from 'nats';

/** Tells when the broker goes away and when it comes back; the client itself lets calls wait for answers that cannot come. */
export class ConnectionWatch {
  private readonly statuses: QueuedIterator<Status>;
  private goneNow: () => void = () => undefined;
  private nextGone = this.renew();

  constructor(
    connection: NatsConnection,
    private readonly onBack: () => void,
  ) {
    // Typed by the client as a plain iterable, yet made by it as an iterator that can be stopped.
    this.statuses = connection.status() as QueuedIterator<Status>;
    void this.listen();
  }

  /** Settles with undefined when the connection is lost before `work` is done. */
  async unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.nextGone]);
  }

  close(): void {
    this.statuses.stop();
  }

  private async listen(): Promise<void> {
    for await (const { type } of this.statuses) {
      if (type === Events.Disconnect) {
        const gone = this.goneNow;
        this.nextGone = this.renew();
        gone();
      } else if (type === Events.Reconnect) {
        this.onBack();
      }
    }
  }

  private renew(): Promise<undefined> {
    return new Promise((resolve) => {
      this.goneNow = () => resolve(undefined);
    });
  }
}
