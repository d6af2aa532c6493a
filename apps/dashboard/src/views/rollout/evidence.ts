import type { EventData, RecordedEvent, RolloutObjectives } from '@davit/contracts';

export type Verdict = EventData<'davit.rollout.verdict-reached'>;

/** What one step of a ramp, or one window of production, showed. */
export interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly queueP95: number | null;
  /** Of the requests that were sent, in per cent; null where none were. */
  readonly errorPercent: number | null;
}

export interface Evidence {
  readonly ramps: readonly Measured[];
  readonly baseline: readonly Measured[];
  readonly bounds: EventData<'davit.rollout.bounds-set'> | null;
  readonly approval: EventData<'davit.rollout.approval-requested'> | null;
  /** The latest last. */
  readonly verdicts: readonly { readonly at: string; readonly position: number; readonly verdict: Verdict }[];
}

/** What the log says of the measurements of one rollout. */
export function evidenceOf(events: readonly RecordedEvent[], rolloutId: string): Evidence {
  const ramps: Measured[] = [];
  const baseline: Measured[] = [];
  const verdicts: { at: string; position: number; verdict: Verdict }[] = [];
  let bounds: Evidence['bounds'] = null;
  let approval: Evidence['approval'] = null;
  for (const event of events) {
    if (!('rolloutId' in event.data) || event.data.rolloutId !== rolloutId) continue;
    switch (event.type) {
      case 'davit.rollout.load-profile-run': {
        const { ramp, steps } = event.data;
        ramps.push(
          ...steps.map((step, index) => measured(`${ramp}.${index + 1}`, step.window, step.requestsPerSecond)),
        );
        break;
      }
      case 'davit.rollout.baseline-recorded':
        baseline.push(...event.data.windows.map((window, index) => measured(String(index + 1), window, null)));
        break;
      case 'davit.rollout.bounds-set':
        bounds = event.data;
        break;
      case 'davit.rollout.approval-requested':
        approval = event.data;
        break;
      case 'davit.rollout.verdict-reached':
        verdicts.push({ at: event.time, position: event.position, verdict: event.data });
        break;
      default:
    }
  }
  return { ramps, baseline, bounds, approval, verdicts };
}

type Window = EventData<'davit.rollout.baseline-recorded'>['windows'][number];

function measured(name: string, window: Window, requestsPerSecond: number | null): Measured {
  const { latency, queueTime, sent, ok } = window;
  return {
    ...{ name, requestsPerSecond, p50: latency.p50Ms, p95: latency.p95Ms, p99: latency.p99Ms },
    queueP95: queueTime.p95Ms,
    errorPercent: sent === 0 ? null : Math.round(((sent - ok) / sent) * 10_000) / 100,
  };
}

export interface Objective {
  readonly y: number;
  readonly label: string;
}

/** What was promised of latency, as lines of a chart. */
export function latencyObjectives(objectives: RolloutObjectives | undefined): readonly Objective[] {
  const { latencyP50Ms, latencyP95Ms, latencyP99Ms } = objectives ?? {};
  return [
    ...(latencyP50Ms === undefined ? [] : [{ y: latencyP50Ms, label: `p50 promised ${latencyP50Ms} ms` }]),
    ...(latencyP95Ms === undefined ? [] : [{ y: latencyP95Ms, label: `p95 promised ${latencyP95Ms} ms` }]),
    ...(latencyP99Ms === undefined ? [] : [{ y: latencyP99Ms, label: `p99 promised ${latencyP99Ms} ms` }]),
  ];
}
