/** Subject of the plainest way to tell so many: no log, no mirror, no decision. */
export const PLAIN_SUBJECT = 'bench.routes.plain';

/** When something came into the hands of one subscriber, in milliseconds of the clock that all processes share. */
export type Arrival = { readonly subscriber: number; readonly what: string; readonly atMs: number };
/** How many arrivals are waited for; the report is made once, when all of one kind are there, and not while they come. */
export type Awaited = { readonly kind: 'routes' | 'plain'; readonly arrivals: number };
export type Report = {
  readonly arrivals: readonly Arrival[];
  /** Processor time of the subscribers' process from the first arrival after the last report until this one. */
  readonly cpuMs: number;
};
