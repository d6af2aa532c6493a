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

/** How long Vast takes; the defaults are those of fast tests. */
export interface VastTimings {
  /** From a change on the console until the engine sees it. */
  readonly visibleMs: number;
  readonly tickMs: number;
  readonly recruitMs: number;
  readonly creatingMs: number;
  /** The pull of the image. The load of the model takes the world's `loadMs`. */
  readonly loadingMs: number;
  readonly stoppingMs: number;
  readonly startingMs: number;
  /** How long a worker stays in `error` before it reboots or is destroyed. */
  readonly errorMs: number;
  readonly rebootingMs: number;
  /** The reboot of a rolling update, without the load that follows. */
  readonly updateRebootingMs: number;
  /** After this a load has failed: of a template that was loaded before, and of one never seen. */
  readonly loadingTimeoutMs: number;
  readonly loadingTimeoutNewTemplateMs: number;
  readonly startingTimeoutMs: number;
  /** For so long a routed request counts as under way before the worker has it. */
  readonly assignmentMs: number;
  /** What a stopped worker beyond those wanted waits before it is released. */
  readonly releaseMs: number;
  /** The engine's load is the cost of the last so many. */
  readonly loadWindowMs: number;
  /** How long an idle worker without work stays up when nothing else keeps it. */
  readonly idleGraceMs: number;
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
    errorMs: 100,
    rebootingMs: 100,
    updateRebootingMs: 500,
    loadingTimeoutMs: 8_000,
    loadingTimeoutNewTemplateMs: 20_000,
    startingTimeoutMs: 3_000,
    assignmentMs: 2_000,
    releaseMs: 60_000,
    loadWindowMs: 10_000,
    idleGraceMs: 1_000,
  },
};

/** Vast's times as they were observed, middle of their ranges. */
export const OBSERVED_VAST_TIMINGS: VastTimings = {
  visibleMs: 10_000,
  tickMs: 5_000,
  recruitMs: 30_000,
  creatingMs: 10_000,
  loadingMs: 180_000,
  stoppingMs: 3_000,
  startingMs: 30_000,
  errorMs: 5_000,
  rebootingMs: 30_000,
  updateRebootingMs: 60_000,
  loadingTimeoutMs: 795_000,
  loadingTimeoutNewTemplateMs: 10_800_000,
  startingTimeoutMs: 300_000,
  assignmentMs: 30_000,
  releaseMs: 600_000,
  loadWindowMs: 60_000,
  idleGraceMs: 1_000,
};
