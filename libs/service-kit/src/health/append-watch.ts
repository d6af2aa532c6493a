import type { HealthCheck } from './readiness.js';

/** Whether the log takes what is written to it: a database with a full disk still answers every question. */
export class AppendWatch {
  private fault: { readonly reason: string; readonly atMs: number } | undefined;

  note(atMs: number, fault: unknown): void {
    if (fault === undefined) this.fault = undefined;
    else this.fault = { reason: fault instanceof Error ? fault.message : 'not known', atMs };
  }

  check(nowMs: number): HealthCheck {
    const detail =
      this.fault === undefined
        ? {}
        : { lastAppend: 'failed', reason: this.fault.reason.slice(0, 200), ageMs: nowMs - this.fault.atMs };
    return { name: 'appends', required: false, ok: this.fault === undefined, detail };
  }
}
