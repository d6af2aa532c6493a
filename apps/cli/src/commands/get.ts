import { rolloutsTable } from '../output/rollout-views.js';
import { deploymentsTable, replicasTable, routesTable } from '../output/views.js';
import type { Session } from '../session.js';

export const KINDS = ['deployments', 'replicas', 'routes', 'rollouts'] as const;
export type Kind = (typeof KINDS)[number];

export interface GetOptions {
  readonly deployment?: string;
  /** Replicas and deployments that are already proven gone, too. */
  readonly all?: boolean;
  readonly watch?: boolean;
  /** The name of each replica at its provider, too. */
  readonly wide?: boolean;
}

const WATCH_MS = 1_000;

/** Prints a table of what is; with `--watch` again whenever it changes. */
export async function get(session: Session, kind: Kind, options: GetOptions): Promise<void> {
  let shown = '';
  for (;;) {
    const { value, text } = await look(session, kind, options);
    const now = session.json ? JSON.stringify(value) : text;
    if (now !== shown) session.print(value, () => (options.watch === true && shown !== '' ? `\n${text}` : text));
    shown = now;
    if (options.watch !== true) return;
    await session.pause(WATCH_MS);
  }
}

async function look(
  session: Session,
  kind: Kind,
  options: GetOptions,
): Promise<{ readonly value: readonly unknown[]; readonly text: string }> {
  const { client } = session;
  switch (kind) {
    case 'deployments': {
      const rows = await client.deployments(options.all);
      const nowMs = await session.momentMs();
      return { value: rows, text: orNone(rows, () => deploymentsTable(rows, nowMs), 'deployments') };
    }
    case 'replicas': {
      const rows = await client.replicas(options.deployment, options.all);
      const nowMs = await session.momentMs();
      return { value: rows, text: orNone(rows, () => replicasTable(rows, nowMs, options.wide), 'replicas') };
    }
    case 'rollouts': {
      const rows = await client.rollouts(options.deployment, options.all);
      const nowMs = await session.momentMs();
      return { value: rows, text: orNone(rows, () => rolloutsTable(rows, nowMs), 'rollouts') };
    }
    case 'routes': {
      const rows = await client.routes();
      return { value: rows, text: orNone(rows, () => routesTable(rows), 'routes') };
    }
  }
}

const orNone = (rows: readonly unknown[], text: () => string, kind: string): string =>
  rows.length === 0 ? `no ${kind}` : text();
