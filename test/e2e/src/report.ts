import type { DavitClient } from '@davit/cli';
import { checkLaws } from '@davit/domain';
import { intentToRouteMs, ownOverheadMs, percentile, readLog } from './log-reader.js';
import type { ScenarioOutcome } from './scenario.js';
import type { WorldClient } from './world-client.js';

export interface LifeReport extends ScenarioOutcome {
  readonly ok: boolean;
  /** Machines that the outside still bills after everything was deleted. */
  readonly leaked: number;
  readonly machines: number;
  readonly events: number;
  readonly lawsBroken: readonly string[];
  /** Services whose projection differs from one rebuilt from the log. */
  readonly auditsFailed: readonly string[];
  readonly intentToRouteMs: { readonly p50: number | null; readonly max: number | null };
  /** The same without the time inside calls to provider and model server. */
  readonly ownMs: { readonly p50: number | null; readonly max: number | null };
  readonly totalMs: number;
}

/** Judges a finished scenario by what the outside and the log themselves say. */
export async function report(
  outcome: ScenarioOutcome,
  parts: {
    readonly client: DavitClient;
    readonly world: WorldClient;
    readonly urls: Readonly<Record<string, string>>;
    readonly totalMs: number;
  },
): Promise<LifeReport> {
  const [running, machines, events] = await Promise.all([
    parts.world.running(),
    parts.world.machines(),
    readLog(parts.client),
  ]);
  const broken = checkLaws(events, { ended: outcome.deleted });
  const auditsFailed = await failedAudits(parts.urls);
  const toRoute = intentToRouteMs(events);
  const own = ownOverheadMs(events);
  const { replicasReady, requestAnswered, healed, updated, scaled, deleted } = outcome;
  const done = replicasReady > 0 && requestAnswered && healed && updated && scaled && deleted;
  return {
    ok: done && running.length === 0 && broken.length === 0 && auditsFailed.length === 0,
    ...outcome,
    leaked: running.length,
    machines: machines.length,
    events: events.length,
    lawsBroken: broken.map(({ law, position, about, message }) => `${law} at ${position} (${about}): ${message}`),
    auditsFailed,
    intentToRouteMs: { p50: percentile(toRoute, 0.5), max: percentile(toRoute, 1) },
    ownMs: { p50: percentile(own, 0.5), max: percentile(own, 1) },
    totalMs: parts.totalMs,
  };
}

/** Asks every service to rebuild its projection beside the live one and compare. */
export async function failedAudits(urls: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const results = await Promise.all(
    Object.entries(urls).map(async ([service, url]) => {
      const response = await fetch(new URL('/audit/projections', url), { signal: AbortSignal.timeout(60_000) });
      const answer = (await response.json()) as { projections?: readonly { equal: boolean }[] };
      const equal = answer.projections !== undefined && answer.projections.every((projection) => projection.equal);
      return equal ? [] : [`${service}: ${JSON.stringify(answer).slice(0, 300)}`];
    }),
  );
  return results.flat();
}
