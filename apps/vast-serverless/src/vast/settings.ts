/** How this service reaches Vast.ai. */
export interface VastSettings {
  /** Holds what is wanted: endpoints, workergroups, instances. */
  readonly consoleUrl: string;
  /** Holds what is: workers. */
  readonly runUrl: string;
  /** Speaks OpenAI's protocol at `<base>/<endpoint name>/v1`. */
  readonly openaiUrl: string;
  readonly apiKey: string;
  /** Share of the published intervals between calls to keep; 1 keeps them whole. */
  readonly paceScale: number;
  readonly timeoutMs: number;
  /** Longest time that one call may spend waiting for its turn and being told to slow down. */
  readonly patienceMs: number;
  /** Oldest list that is good enough for an endpoint that starts, or serves. */
  readonly launchingAgeMs: number;
  readonly steadyAgeMs: number;
}

export const DEFAULT_VAST_SETTINGS = {
  consoleUrl: 'https://console.vast.ai',
  runUrl: 'https://run.vast.ai',
  openaiUrl: 'https://openai.vast.ai',
  paceScale: 1,
  timeoutMs: 30_000,
  patienceMs: 90_000,
  launchingAgeMs: 3_000,
  steadyAgeMs: 15_000,
} as const;
