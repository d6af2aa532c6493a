import { alarmsTable, fleetText, orphansTable } from '../output/fleet-views.js';
import type { Session } from '../session.js';

/** What carries our name at a provider and belongs to no live replica. */
export async function orphans(session: Session, options: { readonly all?: boolean }): Promise<void> {
  const [rows, alarms] = await Promise.all([session.client.orphans(options.all), session.client.alarms()]);
  const nowMs = await session.momentMs();
  const unread = alarms.filter(({ alarm }) => alarm === 'inventory-unreadable' || alarm === 'blind');
  session.print(rows, () =>
    [
      rows.length === 0 ? 'no orphans' : orphansTable(rows, nowMs),
      // "None" would be a lie where nobody can look.
      ...unread.map(({ about, since }) => `not known for ${about}: its inventory cannot be read since ${since}`),
    ].join('\n'),
  );
}

export async function alarms(session: Session): Promise<void> {
  const rows = await session.client.alarms();
  const nowMs = await session.momentMs();
  session.print(rows, () => (rows.length === 0 ? 'no alarms' : alarmsTable(rows, nowMs)));
}

export async function fleet(session: Session): Promise<void> {
  const view = await session.client.fleet();
  const nowMs = await session.momentMs();
  session.print(view, () => fleetText(view, nowMs));
}
