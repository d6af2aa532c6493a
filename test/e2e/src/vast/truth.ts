/** One worker as the outside itself knows it. */
export interface TrueWorker {
  readonly id: number;
  readonly status: string;
  readonly template: { readonly id: number; readonly hash: string };
}

/** What is really so at the simulated Vast. Amounts in USD. */
export interface VastTruth {
  readonly workers: readonly TrueWorker[];
  readonly spend: number;
  /** Workers that nobody owns. */
  readonly leaked: number;
}
