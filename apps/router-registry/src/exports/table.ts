import { DEFAULT_WEIGHT, type DrainingTarget, type RouteTarget, type RouteView } from '@davit/contracts';
import { type ReplicaState, type RouteState, digestOf, groupOf } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import { snapshotOf } from '../routes/views.js';

/** Every route of an installation at one position of the log: what each export is a rendering of. */
export type RouteTable = {
  /** Position of the newest snapshot in it, or at which what is withheld last changed: grows with every change, and is the number of the whole. */
  readonly position: number;
  /** Of the routes, not of the load hints: equal tables are equal exports. */
  readonly digest: string;
  /** Sorted by name. An alias that an event emptied is there, without endpoints. */
  readonly aliases: readonly AliasRoutes[];
};

export type AliasRoutes = {
  readonly alias: string;
  readonly tenant: string;
  readonly model: string;
  readonly snapshot: number;
  /** Of the snapshot. */
  readonly digest: string;
  /** Where the log published it. */
  readonly position: number;
  /** Name that every kind of configuration file takes; no two aliases share one. */
  readonly name: string;
  readonly endpoints: readonly RouteEndpoint[];
};

/** One target, taken apart. */
export type RouteEndpoint = {
  readonly target: RouteTarget | DrainingTarget;
  readonly state: 'serving' | 'draining';
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** What stands before the engine's own paths, without a slash at its end; mostly nothing. */
  readonly path: string;
  readonly weight: number;
  /** Latest load, if the engine told it. */
  readonly load: { readonly running: number | null; readonly waiting: number | null } | null;
};

/** Latest load of a replica, by its id. */
export type LoadOf = (replica: string) => RouteEndpoint['load'];

/** Present snapshots of every alias whose name was published. */
export async function readViews(model: Pick<ReadModel, 'list'>): Promise<readonly RouteView[]> {
  const routes = await model.list<RouteState>('route');
  return routes.filter(({ document }) => document.snapshot > 0).map(snapshotOf);
}

/** By their ids: those that are there, or might be. */
export async function readReplicas(model: Pick<ReadModel, 'list'>): Promise<ReadonlyMap<string, ReplicaState>> {
  const replicas = await model.list<ReplicaState>('replica', groupOf.anyPresent);
  return new Map(replicas.map(({ document }) => [document.id, document]));
}

export const tableOf = (views: readonly RouteView[], loadOf: LoadOf = () => null): RouteTable =>
  tableFrom(views.map((view) => aliasRoutes(view, loadOf)));

/**
 * The digest is of what the snapshots say, by their own digests, so that it costs as much for ten thousand targets as for ten.
 * @param changedAt position at which what is withheld last changed
 */
export function tableFrom(routes: Iterable<AliasRoutes>, changedAt = 0): RouteTable {
  const aliases = [...routes].sort((a, b) => (a.alias < b.alias ? -1 : 1));
  return {
    position: aliases.reduce((newest, { position }) => Math.max(newest, position), changedAt),
    digest: digestOf(aliases.map(({ alias, snapshot, digest }) => [alias, snapshot, digest])),
    aliases,
  };
}

export function aliasRoutes(view: RouteView, loadOf: LoadOf): AliasRoutes {
  const { alias, tenant, model, snapshot, digest, position, targets, draining } = view;
  const endpoints = [
    ...targets.map((target) => endpointOf(target, 'serving', loadOf(target.replica))),
    ...draining.map((target) => endpointOf(target, 'draining', loadOf(target.replica))),
  ];
  return { alias, tenant, model, snapshot, digest, position, name: exportName(alias), endpoints };
}

function endpointOf(
  target: RouteTarget | DrainingTarget,
  state: RouteEndpoint['state'],
  load: RouteEndpoint['load'],
): RouteEndpoint {
  const url = new URL(target.url);
  const tls = url.protocol === 'https:';
  return {
    target,
    state,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (tls ? 443 : 80) : Number(url.port),
    tls,
    path: url.pathname.replace(/\/+$/, ''),
    weight: target.weight ?? DEFAULT_WEIGHT,
    load: load && { running: load.running, waiting: load.waiting },
  };
}

const MOST_PLAIN = 40;

/** `default/qwen3-8b` → `default-qwen3-8b`; what does not survive that is told apart by a part of its hash. */
export function exportName(alias: string): string {
  const plain = alias
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const isPlain = plain.length <= MOST_PLAIN && /^[a-z0-9-]+\/[a-z0-9-]+$/.test(alias) && !alias.includes('--');
  // A slash and a hyphen give the same name, so that only the first hyphen of a plain one may have been a slash.
  const isAlone = isPlain && !alias.slice(0, alias.indexOf('/')).includes('-');
  return isAlone ? plain : `${plain.slice(0, MOST_PLAIN)}-${digestOf(alias).slice(0, 8)}`;
}

/** Where a server is reached, as every protocol writes it: IPv6 in brackets. */
export const authority = ({ host, port }: Pick<RouteEndpoint, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Name of a server within its alias, for programs that want one: the same for as long as the incarnation lives. */
export const serverName = ({ target }: Pick<RouteEndpoint, 'target'>): string =>
  exportName(target.replica).slice(-MOST_PLAIN).replace(/^-+/, '');

/** The first line of every file: which table it is. */
export const titleOf = ({ position, digest }: RouteTable): string =>
  `Davit routes: snapshot ${position}, sha256 ${digest}. Written by router-registry; changes made here are lost.`;
