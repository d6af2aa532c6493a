export type ServicePhase = 'starting' | 'running' | 'stopping';

/** Where a service stands between start and stop; long answers (event streams) end when `stopping` aborts. */
export class ServiceState {
  private readonly controller = new AbortController();
  private current: ServicePhase = 'starting';
  private readonly begin: { resolve: () => void } = { resolve: () => undefined };
  /** Resolves when the service begins to take requests and intents; never, where it is stopped before. */
  readonly running = new Promise<void>((resolve) => (this.begin.resolve = resolve));

  get phase(): ServicePhase {
    return this.current;
  }

  /** Aborts when the service begins to stop. */
  get stopping(): AbortSignal {
    return this.controller.signal;
  }

  run(): void {
    if (this.current !== 'starting') return;
    this.current = 'running';
    this.begin.resolve();
  }

  stop(): void {
    this.current = 'stopping';
    this.controller.abort();
  }
}
