/** What capacity-advisor can be told; durations in milliseconds. */
export type CapacityAdvisorSettings = {
  readonly runpod: {
    /** Which of RunPod's interfaces is asked: the catalogue of REST v2, or GraphQL for accounts that are still on it. */
    readonly api: 'v2' | 'graphql';
    readonly baseUrl: string;
    readonly graphqlUrl: string;
    /** Sent in the Authorization header only. Without it REST v2 is not asked and its stock is unknown. */
    readonly apiKey: string | undefined;
  };
  readonly vast: {
    readonly baseUrl: string;
    /** Sent in the Authorization header only. Without it Vast is not asked. */
    readonly apiKey: string | undefined;
  };
  /** One question, from connect to last byte. */
  readonly timeoutMs: number;
  /** How long one answer serves every replica that asks the same. */
  readonly cacheMs: number;
  /** How long an answer says something; then it is unknown. */
  readonly lifetimeMs: number;
  readonly prices: {
    /** The operator's own table of prices, YAML or JSON; undefined when there is none. */
    readonly tablePath: string | undefined;
    /** Directory that holds `<cloud>/vms.csv`; undefined when no catalogue is read. */
    readonly catalogueDirectory: string | undefined;
    /** How long a list price says something after it was read. */
    readonly catalogueLifetimeMs: number;
  };
  /** Pause between samples of each placement that some deployment allows; 0 = no samples. */
  readonly watchMs: number;
};

export const DEFAULT_SETTINGS: CapacityAdvisorSettings = {
  runpod: {
    api: 'v2',
    baseUrl: 'https://api.runpod.io',
    graphqlUrl: 'https://api.runpod.io/graphql',
    apiKey: undefined,
  },
  vast: { baseUrl: 'https://console.vast.ai', apiKey: undefined },
  timeoutMs: 5_000,
  cacheMs: 20_000,
  lifetimeMs: 60_000,
  prices: { tablePath: undefined, catalogueDirectory: undefined, catalogueLifetimeMs: 24 * 3_600_000 },
  watchMs: 10 * 60_000,
};
