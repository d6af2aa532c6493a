import { mkdir, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { CommandRunner, Logger } from '@davit/ports';
import type { Controller } from '@davit/reconcile';
import { FILE_FORMATS, type FileFormat, render } from './formats/index.js';
import type { ShownRoutes } from './shown-routes.js';
import { type RouteTable, readReplicas, tableOf } from './table.js';

export type RouteFile = { readonly format: FileFormat; readonly path: string };

/** A program with its arguments, run without a shell after files changed. */
export type ReloadCommand = readonly [string, ...string[]];

export type RouteFilesParts = {
  readonly files: readonly RouteFile[];
  /** Null when whoever reads the files watches them. */
  readonly reload: ReloadCommand | null;
  readonly routes: ShownRoutes;
  readonly commands: CommandRunner;
  readonly logger: Logger;
};

const RETRY_MS = 5_000;
const RELOAD_TIMEOUT_MS = 30_000;

/**
 * Keeps files equal to the routes. A file is whole at every moment: the next one is written beside it, flushed, and takes its
 * place in one step; whatever goes wrong, the last good one stays. A reload that failed is tried again until it succeeds.
 */
export function routeFilesController(parts: RouteFilesParts): Controller {
  // All changes are one piece of work, for a reload tells of everything at once; and each instance has a disk of its own, so
  // that this work is not shared out between them.
  const key = `files of ${hostname()} ${process.pid}`;
  const written = new Map<string, string>();
  const awaited = `${key}, when a withdrawal is late`;
  let reloaded: number | undefined;
  return {
    name: 'route-files',
    concurrency: 1,
    keysOf(ref, document) {
      if (parts.files.length === 0) return [];
      const noted = parts.routes.note(ref, document);
      if (ref.kind === 'route' || noted === 'changed') return [key];
      return noted === 'awaited' ? [awaited] : [];
    },
    async reconcile({ key: asked, model }) {
      const { dueInMs } = parts.routes;
      if (asked === awaited && dueInMs !== 0) return dueInMs === undefined ? {} : { requeueAfterMs: dueInMs };
      try {
        const [views, replicas] = await Promise.all([parts.routes.all(model), readReplicas(model)]);
        await write(tableOf(views, (replica) => replicas.get(replica)?.load ?? null));
        return {};
      } catch (error) {
        parts.logger.warn({ err: error }, 'route files are not up to date; the last good ones stay');
        return { requeueAfterMs: RETRY_MS };
      }
    },
  };

  async function write(table: RouteTable): Promise<void> {
    const edsPath = parts.files.find(({ format }) => format === 'envoy-eds')?.path;
    for (const file of parts.files) {
      const text = render(file.format, table, edsPath);
      if (written.get(file.path) === text) continue;
      await replaceFile(file.path, text);
      written.set(file.path, text);
      reloaded = undefined;
    }
    if (parts.reload === null || reloaded !== undefined) return;
    await reload(parts.commands, parts.reload);
    reloaded = table.position;
    parts.logger.info({ snapshot: table.position, files: parts.files.length }, 'route files written and reloaded');
  }
}

/** Writes a whole file in one step. Whoever reads it sees the one before or this one, also after a crash. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const directory = path.dirname(file);
  await mkdir(directory, { recursive: true });
  const next = path.join(directory, `.${path.basename(file)}.${process.pid}.next`);
  try {
    const handle = await open(next, 'w', 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function reload(commands: CommandRunner, [file, ...args]: ReloadCommand): Promise<void> {
  const outcome = await commands.run({
    file,
    args,
    env: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: RELOAD_TIMEOUT_MS,
  });
  if (outcome.kind === 'exited' && outcome.exitCode === 0) return;
  const why = outcome.kind === 'exited' ? `code ${outcome.exitCode}: ${outcome.stderr.slice(-500)}` : outcome.kind;
  throw new Error(`the reload command ${file} ended with ${why}`);
}

/** `nginx:/etc/nginx/davit.conf,haproxy:/run/davit.cfg` → files; undefined for what is not written so. */
export function parseRouteFiles(text: string): readonly RouteFile[] | undefined {
  const files = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): RouteFile | undefined => {
      const colon = part.indexOf(':');
      const format = FILE_FORMATS.find((known) => known === part.slice(0, colon));
      const place = part.slice(colon + 1);
      return format && path.isAbsolute(place) ? { format, path: place } : undefined;
    });
  return files.every((file) => file !== undefined) ? files : undefined;
}

/** A JSON list of texts, such as `["nginx","-s","reload"]`; undefined for anything else. */
export function parseReload(text: string): ReloadCommand | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) return undefined;
    const [file, ...args] = value;
    return file === undefined || file === '' ? undefined : [file, ...args];
  } catch {
    return undefined;
  }
}
