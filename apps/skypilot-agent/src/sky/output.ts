import { stripAnsi } from '@davit/provider-kit';
import { z } from 'zod';

/** Either what was read, or why nothing was. An unreadable text is never an empty list (law 4). */
export type Parsed<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly detail: string };

const unreadable = (detail: string): { readonly ok: false; readonly detail: string } => ({ ok: false, detail });

/** A line that is nothing but the beginning of a list, or an empty one. */
const LIST_BEGINS = /(?<![^\n])\[\]?[^\S\n]*(?![^\n])/;

/**
 * The JSON array at the end of a command's output. Prose may stand before it (skypilot #10713); it begins on a line of its
 * own, because it is printed with indentation.
 */
export function jsonArray(stdout: string): Parsed<readonly unknown[]> {
  const text = stripAnsi(stdout);
  const start = text.search(LIST_BEGINS);
  if (start === -1) return unreadable('no JSON list in the output');
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return Array.isArray(value) ? { ok: true, value } : unreadable('the output is not a list');
  } catch {
    return unreadable('the JSON list in the output is broken');
  }
}

const clusterRow = z.object({
  name: z.string().min(1),
  status: z.string().min(1),
  cluster_hash: z.string().nullish(),
  cluster_ever_up: z.boolean().nullish(),
  is_managed: z.boolean().nullish(),
  cloud: z.string().nullish(),
  region: z.string().nullish(),
  launched_at: z.number().nullish(),
});

export interface ClusterRow {
  readonly name: string;
  readonly status: string;
  readonly hash: string | null;
  readonly everUp: boolean;
  readonly managed: boolean;
  /** In lower case, as placements have it; empty when the row does not say. */
  readonly cloud: string;
  readonly place: string;
  readonly launchedAtMs: number | null;
}

/** Rows by name. One that cannot be read is there all the same, and hides no other. */
export type ClusterRows = ReadonlyMap<string, ClusterRow | 'unreadable'>;

/** Reads `sky status -o json`. */
export function parseClusters(stdout: string): Parsed<ClusterRows> {
  const list = jsonArray(stdout);
  if (!list.ok) return list;
  const rows = new Map<string, ClusterRow | 'unreadable'>();
  for (const item of list.value) {
    const parsed = clusterRow.safeParse(item);
    if (parsed.success) {
      const { name, status, cluster_hash, cluster_ever_up, is_managed, cloud, region, launched_at } = parsed.data;
      const place = [cloud, region].filter(Boolean).join(' ');
      rows.set(name, {
        name,
        status,
        hash: cluster_hash ?? null,
        everUp: cluster_ever_up === true,
        managed: is_managed === true || /^sky-(jobs|serve)-controller-/.test(name),
        cloud: cloud?.toLowerCase() ?? '',
        place,
        launchedAtMs: launched_at == null ? null : launched_at * 1_000,
      });
      continue;
    }
    const named = z.object({ name: z.string().min(1) }).safeParse(item);
    if (!named.success) return unreadable('a cluster row has no name');
    rows.set(named.data.name, 'unreadable');
  }
  return { ok: true, value: rows };
}

const requestRow = z.object({
  request_id: z.string().min(1),
  name: z.string(),
  status: z.string(),
  cluster_name: z.string().nullish(),
  created_at: z.unknown().optional(),
});

export interface LaunchRequest {
  readonly id: string;
  readonly status: string;
  /** Null when the list does not say which cluster it is for. */
  readonly cluster: string | null;
  readonly createdAtMs: number | null;
}

const ENDED = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED']);

/**
 * A client without a server prints an empty list and this line before it, exit code 0 (observed with 0.14.1): the list
 * says nothing. The first other command starts a server.
 */
export const hasNoServer = (stdout: string): boolean => /API server is not running/i.test(stripAnsi(stdout));

/** Reads `sky api status -o json -v`: launches that are under way. A status word that is not known counts as active. */
export function parseActiveLaunches(stdout: string): Parsed<readonly LaunchRequest[]> {
  if (hasNoServer(stdout)) return unreadable('the API server is not running');
  const list = jsonArray(stdout);
  if (!list.ok) return list;
  const rows = z.array(requestRow).safeParse(list.value);
  if (!rows.success) return unreadable('a request row cannot be read');
  const launches = rows.data
    .filter(({ name, status }) => /launch/i.test(name) && !ENDED.has(status.toUpperCase()))
    .map(({ request_id, status, cluster_name, created_at }) => ({
      id: request_id,
      status,
      cluster: cluster_name ?? null,
      createdAtMs: typeof created_at === 'number' ? created_at * 1_000 : null,
    }));
  return { ok: true, value: launches };
}

/** The id in what `sky launch --async` prints. */
export const parseLaunchId = (stdout: string): string | undefined =>
  /Submitted sky\.launch request: ([0-9a-f-]{36})/.exec(stripAnsi(stdout))?.[1];

/** The address in what `sky status NAME --endpoint PORT` prints: the last line that is one. */
export function parseEndpoint(stdout: string): string | undefined {
  const lines = stripAnsi(stdout)
    .split('\n')
    .map((line) => line.trim());
  return lines.map(endpointUrl).findLast((url) => url !== undefined);
}

function endpointUrl(line: string): string | undefined {
  const match = /^(https?:\/\/)?([\w.-]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?(\/\S*)?$/.exec(line);
  if (!match) return undefined;
  const [, scheme, , port] = match;
  // A bare word is prose; an address without a scheme has a port.
  if (scheme === undefined && port === undefined) return undefined;
  const text = `${scheme ?? 'http://'}${line.slice(scheme?.length ?? 0)}`;
  return URL.canParse(text) ? text.replace(/\/+$/, '') : undefined;
}
