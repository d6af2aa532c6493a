import { alarmsTable, fleetText, orphansTable } from '../output/fleet-views.js';
import type { Session } from '../session.js';

/** What carries our name at a provider and belongs to no live replica. */
export async function orphans(session: Session, options: { readonly all?: boolean }): Promise<void> {
  const [rows, alarms] = await Promise.all([session.client.orphans(options.all), session.client.alarms()]);
  const unread = alarms.filter(({ alarm }) => alarm === 'inventory-unreadable' || alarm === 'blind');
  await session.printAged(rows, (nowMs) =>
    [
      rows.length === 0 ? 'no orphans' : orphansTable(rows, nowMs),
      // "None" would be a lie where nobody can look.
      ...unread.map(({ about, since }) => `not known for ${about}: its inventory cannot be read since ${since}`),
    ].join('\n'),
  );
}

export async function alarms(session: Session): Promise<void> {
  const rows = await session.client.alarms();
  await session.printAged(rows, (nowMs) => (rows.length === 0 ? 'no alarms' : alarmsTable(rows, nowMs)));
}

export async function fleet(session: Session): Promise<void> {
  const view = await session.client.fleet();
  await session.printAged(view, (nowMs) => fleetText(view, nowMs));
}
