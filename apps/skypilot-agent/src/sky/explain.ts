import type { Clock } from '@davit/ports';
import { type Diagnosis, type ObserveHints } from '@davit/provider-kit';
import type { SkyCli, SkyReply } from './cli.js';
import { diagnose, stuck } from './diagnosis.js';
import { secretValues, type SecretSource } from './secrets.js';
import type { DiagnosisSettings } from './settings.js';

export interface ExplainParts {
  readonly cli: SkyCli;
  readonly clock: Clock;
  readonly secrets: SecretSource;
  readonly settings: DiagnosisSettings;
}

/** Logs of one start; each is left out when there is nothing to ask it by. */
export interface StartLogs {
  readonly request?: SkyReply;
  readonly provision?: SkyReply;
  readonly task?: SkyReply;
}

/** By what the logs of a start are found. */
export interface LogSources {
  /** Id of the launch request, while it is under way. */
  readonly request?: string | null;
  /** Id of the launch request once it has ended. */
  readonly ended?: string | null;
  /** Cluster whose provisioning is of interest. */
  readonly provision?: string;
  /** Cluster whose server is of interest. */
  readonly task?: string;
  /** Where the cluster is. */
  readonly cloud?: string;
}

/** A question that failed may be asked again sooner. */
const RETRY_MS = 5_000;
/** Replicas whose logs are remembered. */
const KEPT = 2_000;

/** Reads logs of starts, seldom, and says where they are stuck. It explains; it never acts. */
export class Explainer {
  private readonly read = new Map<
    string,
    { readonly untilMs: number; readonly key: string; readonly logs: StartLogs }
  >();

  constructor(private readonly parts: ExplainParts) {}

  /** The logs of one start: read now, or not long ago. */
  async logs(name: string, sources: LogSources): Promise<StartLogs> {
    const { cli, clock, settings } = this.parts;
    const key = JSON.stringify(sources);
    const known = this.read.get(name);
    if (known?.key === key && clock.monotonicMs() < known.untilMs) return known.logs;
    const place = { cloud: sources.cloud ?? '' };
    const [request, provision, task] = await Promise.all([
      requestLog(cli, sources),
      sources.provision === undefined ? undefined : cli.run('provision-log', [sources.provision], place),
      sources.task === undefined ? undefined : cli.run('task-log', [sources.task], place),
    ]);
    const logs: StartLogs = { ...(request && { request }), ...(provision && { provision }), ...(task && { task }) };
    const isLost = [request, provision, task].some((reply) => reply?.kind === 'lost');
    const untilMs = clock.monotonicMs() + (isLost ? Math.min(RETRY_MS, settings.everyMs) : settings.everyMs);
    this.read.delete(name);
    this.read.set(name, { untilMs, key, logs });
    const [oldest] = this.read.keys();
    if (this.read.size > KEPT && oldest !== undefined) this.read.delete(oldest);
    return logs;
  }

  /** Where an old start is stuck; undefined while it is young. */
  async ofOld(
    name: string,
    sources: LogSources,
    sinceMs: number | null,
    where: string,
    hints: ObserveHints,
  ): Promise<Diagnosis | undefined> {
    const { clock, settings } = this.parts;
    if (sinceMs === null || hints.purpose === 'absence' || !hints.launching) return undefined;
    const ageMs = clock.nowMs() - sinceMs;
    if (ageMs < settings.afterMs) return undefined;
    const found = this.of(await this.logs(name, sources), hints);
    // Said once, with the age at which it is said, and not anew with every minute.
    return found ?? (ageMs >= settings.stuckMs ? stuck(settings.stuckMs, where) : undefined);
  }

  /** What these logs say. */
  of(logs: StartLogs, hints: ObserveHints): Diagnosis | undefined {
    const text = [logs.provision, logs.request, logs.task].map(textOf).join('\n');
    return diagnose(text, this.secretsOf(hints));
  }

  /** Values that no text about this replica may hold. */
  secretsOf({ subject }: ObserveHints): readonly string[] {
    return secretValues(subject.deployment.spec.secrets, this.parts.secrets);
  }
}

function requestLog(cli: SkyCli, { ended = null, request = null }: LogSources): Promise<SkyReply> | undefined {
  if (ended !== null) return cli.run('request-outcome', [ended]);
  return request === null ? undefined : cli.run('request-log', [request]);
}

function textOf(reply: SkyReply | undefined): string {
  if (reply === undefined || reply.kind === 'lost') return '';
  return reply.kind === 'ok' ? reply.stdout : `${reply.stdout}\n${reply.verdict.detail}`;
}
