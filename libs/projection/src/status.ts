/** Where a projection runner stands. Lag is counted in events, against the head it last heard of. */
export type RunnerStatus =
  | { readonly state: 'catching-up' | 'live'; readonly position: number; readonly head: number; readonly lag: number }
  | {
      readonly state: 'stopped';
      readonly position: number;
      readonly head: number;
      readonly lag: number;
      /** `cannot-apply` needs a fixed fold or event type; `fault` heals with what it depends on. */
      readonly reason: 'cannot-apply' | 'fault';
      /** Position that could not be passed. */
      readonly at: number;
      readonly error: string;
    };

/** The runner was told to stop before the awaited position was reached. */
export class RunnerStoppedError extends Error {
  readonly code = 'runner-stopped';
  constructor(projection: string, awaited: number) {
    super(`projection ${projection} was stopped before position ${awaited} was folded in`);
    this.name = 'RunnerStoppedError';
  }
}
