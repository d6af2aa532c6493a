import type { NatsConnection } from 'nats';

/** Tells when the broker goes away and when it comes back; the client itself lets calls wait for answers that cannot come. */
export class ConnectionWatch {
  private readonly statuses;
  private goneNow: () => void = () => undefined;
  private nextGone = this.renew();

  constructor(
    connection: NatsConnection,
    private readonly onBack: () => void,
  ) {
    this.statuses = connection.status();
    void this.listen();
  }

  /** Settles with undefined when the connection is lost before `work` is done. */
  async unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.nextGone]);
  }

  close(): void {
    // The client types status() as a plain iterable; its iterators can be stopped.
    if ('stop' in this.statuses && typeof this.statuses.stop === 'function') this.statuses.stop();
  }

  private async listen(): Promise<void> {
    for await (const { type } of this.statuses) {
      if (type === 'disconnect') {
        const gone = this.goneNow;
        this.nextGone = this.renew();
        gone();
      } else if (type === 'reconnect') {
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
