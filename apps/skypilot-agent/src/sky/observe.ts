import type { HourlyPrice } from '@davit/contracts';
import type { Clock } from '@davit/ports';
import type { InventoryRow, ObserveHints, ObserveResult } from '@davit/provider-kit';
import type { SkyCli } from './cli.js';
import { endedLaunch, failedFirstLaunch } from './ended-launch.js';
import type { Explainer } from './explain.js';
import { type Fleet, type FleetView, launchOf } from './fleet-view.js';
import { cloudsOf, type Machines, rowOfMachine } from './machines.js';
import { type ClusterRow, type LaunchRequest, parseEndpoint } from './output.js';
import { present, type Seen, unknown } from './seen.js';
import type { SkySettings } from './settings.js';
import { withoutRecord } from './without-record.js';

export interface ObserveParts {
  readonly cli: SkyCli;
  readonly view: FleetView;
  readonly machines: Machines;
  readonly explainer: Explainer;
  readonly clock: Clock;
  readonly settings: SkySettings;
}

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
      return launch ? this.launching(name, launch, hints) : this.unlisted(name, hints);
    }
    if (isUp(row)) return this.serving(row, hints);
    const detail = `${row.status} ${row.place}`.trim();
    switch (row.status) {
      case 'PENDING':
        return present('provisioning', row.hash, null, detail);
      case 'INIT':
        if (launch !== undefined) return this.provisioning(row, launch, hints);
        // The runtime check of SkyPilot fails now and then; whether the server lives is for the prober to say.
        if (row.everUp) {
          const url = sameUrl(row, hints);
          return present(url === null ? 'provisioning' : 'up', row.hash, url, `${detail}, after it had been up`);
        }
        return hints.purpose === 'absence'
          ? present('failed', row.hash, null, `${detail}, and no launch under way`)
          : failedFirstLaunch(this.parts.explainer, row, hints);
      case 'STOPPED':
        return present('stopped', row.hash, null, detail);
      default:
        return unknown(`cluster status "${row.status.slice(0, 40)}" is not known`);
    }
  }

  /** Neither row nor launch. What the cloud itself shows comes before what SkyPilot remembers of the launch. */
  private async unlisted(name: string, hints: ObserveHints): Promise<ObserveResult> {
    const own = await this.parts.machines.of(name, cloudsOf(hints.subject), 0);
    if (!own.ok) return unknown(own.detail);
    const forgotten = withoutRecord(own.value, hints);
    if (forgotten) return forgotten;
    this.parts.machines.forget(name);
    return hints.purpose === 'absence' || !hints.launching
      ? { outcome: 'absent' }
      : endedLaunch(this.parts.explainer, name, hints);
  }

  private async launching(name: string, launch: LaunchRequest, hints: ObserveHints): Promise<ObserveResult> {
    const status = launch.status.toLowerCase();
    const where = `the launch has been ${status}`;
    const diagnosis = await this.parts.explainer.ofOld(name, { request: launch.id }, launch.createdAtMs, where, hints);
    return { ...present('provisioning', null, hints.url, `launch ${status}`), ...(diagnosis && { diagnosis }) };
  }

  private async provisioning(
    row: ClusterRow,
    launch: LaunchRequest | 'unclear',
    hints: ObserveHints,
  ): Promise<ObserveResult> {
    const sources = { provision: row.name, request: launch === 'unclear' ? null : launch.id, cloud: row.cloud };
    const where = `SkyPilot has been setting up the machine (${row.place})`;
    const diagnosis = await this.parts.explainer.ofOld(row.name, sources, row.launchedAtMs, where, hints);
    const detail = `${row.status} ${row.place}`.trim();
    // A machine may bill long before it is up; a row without one bills nothing.
    const { price, isGone } = await this.witnessed(row);
    const seen =
      isGone && hints.billed
        ? present(
            'provisioning',
            row.hash,
            null,
            `${detail}, and ${row.cloud} shows no machine of it any more`,
            'not-found',
          )
        : present('provisioning', row.hash, null, detail);
    return { ...seen, price, ...(diagnosis && { diagnosis }) };
  }

  private async serving(row: ClusterRow, hints: ObserveHints): Promise<ObserveResult> {
    if (hints.purpose === 'absence')
      return present('up', row.hash, sameUrl(row, hints), `${row.status} ${row.place}`.trim());
    const [seen, diagnosis] = await Promise.all([
      this.addressed(row, hints),
      this.parts.explainer.ofOld(
        row.name,
        { task: row.name, cloud: row.cloud },
        row.launchedAtMs,
        'the machine has been up',
        hints,
      ),
    ]);
    if (seen.url !== null) this.parts.machines.remember(row.name, seen.url);
    const { price, duplicates } = await this.witnessed(row);
    return { ...seen, price, ...(diagnosis && { diagnosis }), ...(duplicates.length > 0 && { duplicates }) };
  }

  private async addressed(row: ClusterRow, hints: ObserveHints): Promise<Seen> {
    const { port } = hints.subject.deployment.spec.runtime;
    const detail = `${row.status} ${row.place}`.trim();
    const known = sameUrl(row, hints);
    if (known !== null) return present('up', row.hash, known, detail);
    const reply = await this.parts.cli.run('find-address', [row.name, port], { cloud: row.cloud });
    if (reply.kind === 'ok') {
      const url = parseEndpoint(reply.stdout) ?? null;
      return present('up', row.hash, url, url === null ? `${detail}, its address cannot be read` : detail);
    }
    if (reply.kind === 'failed' && /is not exposed on/i.test(reply.stdout)) {
      return present('failed', row.hash, null, `port ${port} is not exposed on this cluster`, 'config');
    }
    return present('up', row.hash, null, `${detail}, no address yet`);
  }

  /**
   * What the cloud itself bills for the machine in use, and the machines of this name beside it. A cloud that cannot be read
   * says nothing of either, and where it is unclear which machine is in use nobody knows what it costs.
   */
  private async witnessed({ name, cloud }: ClusterRow): Promise<Witnessed> {
    const { machines, settings } = this.parts;
    const own = await machines.of(name, new Set([cloud]), settings.witnessAgeMs);
    const recorded = own.ok ? machines.recorded(name, own.value) : undefined;
    if (!own.ok || recorded === undefined)
      return { price: null, duplicates: [], isGone: own.ok && own.value.length === 0 && machines.isWitnessed(cloud) };
    const duplicates = own.value.filter((machine) => machine !== recorded).map(rowOfMachine);
    return { price: recorded.price, duplicates, isGone: false };
  }
}

type Witnessed = {
  readonly price: HourlyPrice | null;
  readonly duplicates: readonly InventoryRow[];
  /** The cloud answered, and shows no machine of this name. */
  readonly isGone: boolean;
};

/** Begun, never up, and nothing under way. */
function looksAbandoned(name: string, fleet: Fleet): boolean {
  const row = fleet.rows.get(name);
  return typeof row === 'object' && row.status === 'INIT' && !row.everUp && launchOf(fleet, name) === undefined;
}

const isUp = ({ status }: ClusterRow): boolean => status === 'UP' || status === 'AUTOSTOPPING';

/** The address known from before, if this is still the same cluster. */
const sameUrl = (row: ClusterRow, { url, providerId }: ObserveHints): string | null =>
  providerId === row.hash ? url : null;
