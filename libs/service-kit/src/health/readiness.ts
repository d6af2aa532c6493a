/** One thing a service depends on. `required` ones decide whether it is ready; the others are only told. */
export interface HealthCheck {
  readonly name: string;
  readonly required: boolean;
  readonly ok: boolean;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface HealthReport {
  /** `degraded` is ready: it works, with something missing that it can do without for a while. */
  readonly status: 'ready' | 'degraded' | 'not-ready';
  readonly checks: readonly HealthCheck[];
}

export function healthReport(checks: readonly HealthCheck[]): HealthReport {
  if (checks.some(({ required, ok }) => required && !ok)) return { status: 'not-ready', checks };
  return { status: checks.every(({ ok }) => ok) ? 'ready' : 'degraded', checks };
}

/** A service that answers while its work stands still is not well: the age of the oldest waiting key decides. */
export const queueCheck = (oldestPendingMs: number, maxPendingMs: number): HealthCheck => ({
  name: 'queues',
  required: true,
  ok: oldestPendingMs <= maxPendingMs,
  detail: { oldestPendingMs },
});
