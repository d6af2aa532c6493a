import { z } from 'zod';
import { trafficCounts } from '../events/runtime.js';
import { instant, replicaId } from '../primitives.js';

export const MAX_REPORTED_TARGETS = 1_000;

const countsProblem = ({ requests, refused, timeouts, status5xx }: z.output<typeof trafficCounts>): boolean =>
  refused + timeouts + status5xx <= requests;

const target = trafficCounts
  .extend({
    /** Address of the target as the route gave it. */
    url: z
      .url({ protocol: /^https?$/, error: 'is not an address; write the url of the route' })
      .max(2_000)
      .optional(),
    replica: replicaId.optional(),
  })
  .refine(({ url, replica }) => (url === undefined) !== (replica === undefined), {
    error: 'holds not exactly one of url and replica; name the target by one of them',
  })
  .refine(countsProblem, {
    error: 'holds more failures than requests; count each request once, also in requests',
    path: ['requests'],
  });

/**
 * What a gateway saw of its requests over a window: body of `POST /v1/traffic-reports` of runtime-prober, and of the request
 * `davit.rpc.runtime-prober.report-traffic`. Targets of which nothing failed may be left out.
 */
export const trafficReport = z.strictObject({
  /** Names the gateway, always alike. */
  reporter: z
    .string()
    .max(100)
    .regex(/^[\w.:/-]+$/, { error: 'is not a name; write letters, digits and . : / - _, for example "gateway-1"' }),
  window: z.strictObject({ from: instant, to: instant }).refine(({ from, to }) => Date.parse(from) <= Date.parse(to), {
    error: 'is before window.from; write the end of the window',
    path: ['to'],
  }),
  targets: z.array(target).min(1).max(MAX_REPORTED_TARGETS),
});
export type TrafficReportRequest = z.infer<typeof trafficReport>;

/** What became of what was reported of one target, in the order of the report. */
export const reportedTarget = z.object({
  replica: z.string().nullable(),
  url: z.string().nullable(),
  /**
   * `recorded`: in the log. `joined`: added to what follows in a moment. `quiet`: nothing failed, so there is nothing to say.
   * `stale`: the window ended too long ago to say anything of now. `unknown`: no replica of this name or address is watched.
   */
  outcome: z.enum(['recorded', 'joined', 'quiet', 'stale', 'unknown']),
  detail: z.string(),
});
export type ReportedTarget = z.infer<typeof reportedTarget>;

export const trafficAnswer = z.object({ targets: z.array(reportedTarget) });
export type TrafficAnswer = z.infer<typeof trafficAnswer>;
