/** Subject of the plainest way to tell so many: no log, no mirror, no decision. */
export const PLAIN_SUBJECT = 'bench.routes.plain';

/** When something came into the hands of one subscriber, in milliseconds of the clock that all processes share. */
export type Arrival = { readonly subscriber: number; readonly what: string; readonly atMs: number };
export type Report = { readonly routes: readonly Arrival[]; readonly plain: readonly Arrival[] };
