import type { ErrorClass } from '@davit/contracts';
import { type Observation, type ObserveHints, type ObserveResult, redact, type SeenPhase } from '@davit/provider-kit';
import { type SkyCli, type SkyReply } from './cli.js';
import { classifyLog } from './errors.js';
import { type Fleet, type FleetView, launchOf } from './fleet-view.js';
import { type ClusterRow, parseEndpoint } from './output.js';
import { secretValues, type SecretSource } from './secrets.js';
import type { SkySettings } from './settings.js';

export interface ObserveParts {
  readonly cli: SkyCli;
  readonly view: FleetView;
  readonly secrets: SecretSource;
  readonly settings: SkySettings;
}

const unknown = (detail: string): ObserveResult => ({ outcome: 'unknown', detail });

/** Reads the state of one cluster out of shared looks at the fleet, and asks for more only when something is missing. */
export class Observer {
  constructor(private readonly parts: ObserveParts) {}

  async observe(name: string, hints: ObserveHints): Promise<ObserveResult> {
    const steady = hints.purpose === 'follow' && !hints.launching ? await this.steadyRow(name) : undefined;
    if (steady) return this.serving(steady, hints);
    const { launchingAgeMs } = this.parts.settings;
    let fleet = await this.parts.view.all(hints.purpose === 'absence' ? 0 : launchingAgeMs);
    // What a shared look does not show may be newer than the look.
    const isShown = fleet.ok && (fleet.value.rows.has(name) || launchOf(fleet.value, name) !== undefined);
    if (hints.purpose === 'follow' && fleet.ok && !isShown) fleet = await this.parts.view.all(0);
    // A launch that began between the two lists of one look has a row there and no launch; a second look has both.
    if (hints.purpose === 'follow' && fleet.ok && looksAbandoned(name, fleet.value)) {
      fleet = await this.parts.view.all(0);
    }
    return fleet.ok ? this.judge(name, fleet.value, hints) : unknown(fleet.detail);
  }

  /** A replica that serves needs no list of launches while its row says UP. */
  private async steadyRow(name: string): Promise<ClusterRow | undefined> {
    const rows = await this.parts.view.allRows(this.parts.settings.steadyAgeMs);
    const row = rows.ok ? rows.value.get(name) : undefined;
    return row !== undefined && row !== 'unreadable' && isUp(row) ? row : undefined;
  }

  private async judge(name: string, fleet: Fleet, hints: ObserveHints): Promise<ObserveResult> {
    const row = fleet.rows.get(name);
    const launch = launchOf(fleet, name);
    if (row === 'unreadable') return unknown('the row of this cluster cannot be read');
    if (!row) {
      if (launch === 'unclear') return unknown('a launch is under way that may be of this name');
      if (launch) return present('provisioning', null, hints.url, `launch ${launch.status.toLowerCase()}`);
      return hints.purpose === 'absence' || !hints.launching ? { outcome: 'absent' } : this.endedLaunch(hints);
    }
    if (isUp(row)) return this.serving(row, hints);
    const detail = `${row.status} ${row.place}`.trim();
    switch (row.status) {
      case 'PENDING':
        return present('provisioning', row.hash, null, detail);
      case 'INIT':
        if (launch !== undefined) return present('provisioning', row.hash, null, detail);
        // The runtime check of SkyPilot fails now and then; whether the server lives is for the prober to say.
        if (row.everUp) {
          const url = sameUrl(row, hints);
          return present(url === null ? 'provisioning' : 'up', row.hash, url, `${detail}, after it had been up`);
        }
        return hints.purpose === 'absence'
          ? present('failed', row.hash, null, `${detail}, and no launch under way`)
          : this.failedFirstLaunch(row, hints);
      case 'STOPPED':
        return present('stopped', row.hash, null, detail);
      default:
        return unknown(`cluster status "${row.status.slice(0, 40)}" is not known`);
    }
  }

  private async serving(row: ClusterRow, hints: ObserveHints): Promise<ObserveResult> {
    const { port } = hints.subject.deployment.spec.runtime;
    const detail = `${row.status} ${row.place}`.trim();
    const known = sameUrl(row, hints);
    if (known !== null || hints.purpose === 'absence') return present('up', row.hash, known, detail);
    const reply = await this.parts.cli.run({
      args: ['status', row.name, '--endpoint', String(port)],
      timeoutMs: this.parts.settings.timeouts.endpointMs,
    });
    if (reply.kind === 'ok') {
      const url = parseEndpoint(reply.stdout) ?? null;
      return present('up', row.hash, url, url === null ? `${detail}, its address cannot be read` : detail);
    }
    if (reply.kind === 'failed' && /is not exposed on/i.test(reply.stdout)) {
      return present('failed', row.hash, null, `port ${port} is not exposed on this cluster`, 'config');
    }
    return present('up', row.hash, null, `${detail}, no address yet`);
  }

  /** Neither row nor launch: the launch ended and left nothing. Its own log says why. */
  private async endedLaunch(hints: ObserveHints): Promise<ObserveResult> {
    if (hints.handle === null) return { outcome: 'absent' };
    const reply = await this.log(['api', 'logs', hints.handle, '--no-follow', '--tail', '100']);
    if (reply.kind === 'lost') return unknown(reply.detail);
    if (reply.kind === 'ok') return { outcome: 'absent' };
    const { class: errorClass, exception, detail } = reply.verdict;
    // A server that lost its request table knows nothing of the launch, so this is no failure of it.
    if (errorClass === 'not-found' || (exception === 'RuntimeError' && /not found/i.test(detail))) {
      return { outcome: 'absent' };
    }
    if (isTroubleOfTheServer(reply)) return unknown(detail);
    return present('failed', null, null, this.scrub(detail, hints), errorClass);
  }

  /** INIT, never up, and nothing under way: the first launch failed, and a machine may be left. */
  private async failedFirstLaunch(row: ClusterRow, hints: ObserveHints): Promise<ObserveResult> {
    const [ended, provision] = await Promise.all([
      hints.handle === null ? undefined : this.log(['api', 'logs', hints.handle, '--no-follow', '--tail', '100']),
      this.log(['logs', row.name, '--provision', '--no-follow', '--tail', '200']),
    ]);
    const log = provision.kind === 'ok' ? provision.stdout : '';
    const reason = ended?.kind === 'failed' && !isTroubleOfTheServer(ended) ? ended.verdict : undefined;
    const lastLine = log.split('\n').findLast((line) => line.trim() !== '') ?? '';
    const detail = reason?.detail ?? (lastLine === '' ? `no reason given: ${row.status}` : lastLine);
    const errorClass = specific(reason?.class) ?? classifyLog(log) ?? reason?.class ?? 'unknown';
    return present('failed', row.hash, null, this.scrub(detail, hints), errorClass);
  }

  private log(args: readonly string[]): Promise<SkyReply> {
    return this.parts.cli.run({ args, timeoutMs: this.parts.settings.timeouts.logsMs });
  }

  /** Logs of a launch may repeat what the task was given. */
  private scrub(text: string, { subject }: ObserveHints): string {
    return redact(text, secretValues(subject.deployment.spec.secrets, this.parts.secrets));
  }
}

/** Begun, never up, and nothing under way. */
function looksAbandoned(name: string, fleet: Fleet): boolean {
  const row = fleet.rows.get(name);
  return typeof row === 'object' && row.status === 'INIT' && !row.everUp && launchOf(fleet, name) === undefined;
}

const isUp = ({ status }: ClusterRow): boolean => status === 'UP' || status === 'AUTOSTOPPING';

/** The address known from before, if this is still the same cluster. */
const sameUrl = (row: ClusterRow, { url, providerId }: ObserveHints): string | null =>
  providerId === row.hash ? url : null;

/** A class that says more than "something failed". */
const specific = (errorClass: ErrorClass | undefined): ErrorClass | undefined =>
  errorClass === 'unknown' || errorClass === 'transient' ? undefined : errorClass;

const SERVER_TROUBLE =
  /^(ApiServerConnectionError|ApiServerAuthenticationError|APIVersionMismatchError|APINotSupportedError|PermissionDeniedError|ServerTemporarilyUnavailableError)$/;

/** The question itself failed, which says nothing of what was asked about. */
const isTroubleOfTheServer = (reply: Extract<SkyReply, { kind: 'failed' }>): boolean =>
  reply.exitCode === 2 || SERVER_TROUBLE.test(reply.verdict.exception ?? '');

function present(
  phase: SeenPhase,
  providerId: string | null,
  url: string | null,
  detail: string,
  errorClass: ErrorClass | null = null,
): ObserveResult & Observation {
  return { outcome: 'present', phase, url, providerId, price: null, class: errorClass, detail };
}
