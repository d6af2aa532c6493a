import type { Clock } from '@davit/ports';
import { SharedLook } from '@davit/provider-kit';
import { type SkyCli, type SkyReply, troubleOf } from './cli.js';
import { remembering } from './remembering.js';
import {
  type ClusterRows,
  hasNoServer,
  type LaunchRequest,
  parseActiveLaunches,
  parseClusters,
  type Parsed,
} from './output.js';

/** All clusters, and all launches under way, as of one moment. */
export interface Fleet {
  readonly rows: ClusterRows;
  readonly launches: readonly LaunchRequest[];
}

/**
 * Looks at SkyPilot. However many replicas ask, there is one look at the fleet at a time. Launches are always listed
 * before clusters: a launch that ends in between has left its row by then, so nothing falls through.
 */
export class FleetView {
  private readonly rows: SharedLook<Parsed<ClusterRows>>;
  private readonly fleet: SharedLook<Parsed<Fleet>>;
  private readonly readClusters = remembering(parseClusters);
  private readonly readLaunches = remembering(parseActiveLaunches);

  constructor(
    private readonly cli: SkyCli,
    clock: Clock,
  ) {
    const nowMs = (): number => clock.monotonicMs();
    this.rows = new SharedLook(
      nowMs,
      () => this.clusters(),
      ({ ok }) => ok,
    );
    this.fleet = new SharedLook(
      nowMs,
      () => this.lookAtAll(),
      ({ ok }) => ok,
    );
  }

  /** Rows of the whole fleet that are at most `maxAgeMs` old. */
  allRows(maxAgeMs: number): Promise<Parsed<ClusterRows>> {
    return this.rows.get(maxAgeMs);
  }

  /** Rows and launches of the whole fleet that are at most `maxAgeMs` old; 0 asks anew. */
  all(maxAgeMs: number): Promise<Parsed<Fleet>> {
    return this.fleet.get(maxAgeMs);
  }

  /** Rows and launches of one name, asked anew. */
  async byName(name: string): Promise<Parsed<Fleet>> {
    const launches = await this.launches(name);
    if (!launches.ok) return launches;
    const rows = await this.clusters(name);
    if (!rows.ok) return rows;
    // An older server ignores the name, so the list may hold others.
    const ours = launches.value.filter(({ cluster }) => cluster === null || cluster === name);
    return { ok: true, value: { rows: rows.value, launches: ours } };
  }

  private async lookAtAll(): Promise<Parsed<Fleet>> {
    const launches = await this.launches();
    if (!launches.ok) return launches;
    const rows = await this.rows.get(0);
    if (!rows.ok) return rows;
    return { ok: true, value: { rows: rows.value, launches: launches.value } };
  }

  private async launches(name?: string): Promise<Parsed<readonly LaunchRequest[]>> {
    const ask = (): Promise<SkyReply> =>
      name === undefined ? this.cli.run('list-launches', []) : this.cli.run('find-launches', [name]);
    let reply = await ask();
    if (reply.kind === 'ok' && hasNoServer(reply.stdout)) {
      // Asking for clusters starts a local server; only then is there somebody to ask for launches.
      await this.clusters();
      reply = await ask();
    }
    return reply.kind === 'ok' ? this.readLaunches(reply.stdout) : { ok: false, detail: troubleOf(reply) };
  }

  private async clusters(name?: string): Promise<Parsed<ClusterRows>> {
    const reply = await (name === undefined ? this.cli.run('list-clusters', []) : this.cli.run('find-cluster', [name]));
    return reply.kind === 'ok' ? this.readClusters(reply.stdout) : { ok: false, detail: troubleOf(reply) };
  }
}

/** The launch of this name that is under way; `unclear` when one is listed without saying whose it is. */
export function launchOf(fleet: Fleet, name: string): LaunchRequest | 'unclear' | undefined {
  return (
    fleet.launches.find(({ cluster }) => cluster === name) ??
    (fleet.launches.some(({ cluster }) => cluster === null) ? 'unclear' : undefined)
  );
}
