export type ServicePhase = 'starting' | 'running' | 'stopping';

/** Where a service stands between start and stop; long answers (event streams) end when `stopping` aborts. */
export class ServiceState {
  private readonly controller = new AbortController();
  private current: ServicePhase = 'starting';

  get phase(): ServicePhase {
    return this.current;
  }

  /** Aborts when the service begins to stop. */
  get stopping(): AbortSignal {
    return this.controller.signal;
  }

  run(): void {
    if (this.current === 'starting') this.current = 'running';
  }

  stop(): void {
    this.current = 'stopping';
    this.controller.abort();
  }
}
