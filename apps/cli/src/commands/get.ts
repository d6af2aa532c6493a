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
    const { rows, table } = await look(session, kind, options);
    const text = session.json ? JSON.stringify(rows) : rows.length === 0 ? `no ${kind}` : await table();
    if (text !== shown) session.print(rows, () => (options.watch === true && shown !== '' ? `\n${text}` : text));
    shown = text;
    if (options.watch !== true) return;
    await session.pause(WATCH_MS);
  }
}

/** What is there, and how it is shown to people. */
interface Seen {
  readonly rows: readonly unknown[];
  readonly table: () => string | Promise<string>;
}

async function look({ client, momentMs }: Session, kind: Kind, options: GetOptions): Promise<Seen> {
  switch (kind) {
    case 'deployments': {
      const rows = await client.deployments(options.all);
      return { rows, table: async () => deploymentsTable(rows, await momentMs()) };
    }
    case 'replicas': {
      const rows = await client.replicas(options.deployment, options.all);
      return { rows, table: async () => replicasTable(rows, await momentMs(), options.wide) };
    }
    case 'rollouts': {
      const rows = await client.rollouts(options.deployment, options.all);
      return { rows, table: async () => rolloutsTable(rows, await momentMs()) };
    }
    case 'routes': {
      const rows = await client.routes();
      return { rows, table: () => routesTable(rows) };
    }
  }
}
