/** What capacity-advisor can be told; durations in milliseconds. */
export type CapacityAdvisorSettings = {
  readonly runpod: {
    readonly baseUrl: string;
    /** Sent in the Authorization header only. Without it RunPod is not asked and its stock is unknown. */
    readonly apiKey: string | undefined;
  };
  /** One question, from connect to last byte. */
  readonly timeoutMs: number;
  /** How long one answer serves every replica that asks the same. */
  readonly cacheMs: number;
  /** How long an answer says something; then it is unknown. */
  readonly lifetimeMs: number;
};

export const DEFAULT_SETTINGS: CapacityAdvisorSettings = {
  runpod: { baseUrl: 'https://api.runpod.io', apiKey: undefined },
  timeoutMs: 5_000,
  cacheMs: 20_000,
  lifetimeMs: 60_000,
};
