/** How long the outside takes for things, in milliseconds. */
export interface WorldTimings {
  /** From an accepted launch until its cluster row appears. */
  readonly scheduleMs: number;
  /** From the row until a machine exists. */
  readonly createMs: number;
  /** From the machine until the launch succeeds. */
  readonly provisionMs: number;
  /** From then until the port mapping is shown. */
  readonly portMs: number;
  readonly terminateMs: number;
  /** A model server's start-up. */
  readonly loadMs: number;
  /** The pause between SkyPilot's own looks at the provider, which drop rows of machines that are gone. */
  readonly refreshDaemonMs: number;
  readonly vast: VastTimings;
}

export interface VastTimings {
  /** From a change on the console until the engine sees it. */
  readonly visibleMs: number;
  readonly tickMs: number;
  readonly recruitMs: number;
  readonly creatingMs: number;
  readonly loadingMs: number;
  readonly stoppingMs: number;
  readonly startingMs: number;
}

export const DEFAULT_TIMINGS: WorldTimings = {
  scheduleMs: 100,
  createMs: 100,
  provisionMs: 1_500,
  portMs: 50,
  terminateMs: 300,
  loadMs: 800,
  refreshDaemonMs: 60_000,
  vast: {
    visibleMs: 100,
    tickMs: 50,
    recruitMs: 200,
    creatingMs: 100,
    loadingMs: 500,
    stoppingMs: 100,
    startingMs: 100,
  },
};
