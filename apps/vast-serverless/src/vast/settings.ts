/** How this service reaches Vast.ai. */
export interface VastSettings {
  /** Holds what is wanted: endpoints, workergroups, instances. */
  readonly consoleUrl: string;
  /** Holds what is: workers. */
  readonly runUrl: string;
  /** Speaks OpenAI's protocol at `<base>/<endpoint name>/v1`. */
  readonly openaiUrl: string;
  /** Of the rollout: needs the permissions misc, user_read, instance_read and billing_read. */
  readonly apiKey: string;
  /** Of the author of templates: needs user_read and user_write, which can make keys. Empty: no templates are made. */
  readonly templateKey: string;
  /** Needs instance_write. Empty: no single worker is ever destroyed. */
  readonly emergencyKey: string;
  /** Authorities that workers' certificates go back to, in PEM; left out, those of the machine. For calls of workers alone. */
  readonly workerCa?: string;
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
  templateKey: '',
  emergencyKey: '',
  paceScale: 1,
  timeoutMs: 30_000,
  patienceMs: 90_000,
  launchingAgeMs: 3_000,
  steadyAgeMs: 15_000,
} as const;
