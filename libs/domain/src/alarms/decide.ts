import { type NewEvent, stream } from '@davit/contracts';
import type { AlarmState } from '../lifecycle/state.js';
import { ALARMS, type WantedAlarm } from './wanted.js';

/** Alarm events of one tenant, to be appended together. */
export type AlarmChange = {
  readonly tenant: string;
  readonly stream: string;
  readonly events: readonly [NewEvent, ...NewEvent[]];
};

const isOurs = ({ alarm }: { readonly alarm: string }): boolean => (ALARMS as readonly string[]).includes(alarm);
const same = (a: { readonly alarm: string; readonly about: string }, b: typeof a): boolean =>
  a.alarm === b.alarm && a.about === b.about;

/** Raises what should be up and is not, or says something else; clears what is up and should not be. Other writers' alarms stay. */
export function decideAlarms(wanted: readonly WantedAlarm[], raised: readonly AlarmState[]): readonly AlarmChange[] {
  const changes = new Map<string, NewEvent[]>();
  const add = (tenant: string, event: NewEvent): void => {
    changes.set(tenant, [...(changes.get(tenant) ?? []), event]);
  };
  for (const { tenant, ...data } of wanted) {
    const present = raised.find((alarm) => same(alarm, data));
    if (present?.detail === data.detail && present.severity === data.severity) continue;
    add(tenant, { type: 'davit.fleet.alarm-raised', data });
  }
  for (const present of raised) {
    if (!isOurs(present) || wanted.some((alarm) => same(alarm, present))) continue;
    const { alarm, about, tenant } = present;
    const data = { alarm, about, detail: `no longer so; it was up since ${present.since}` };
    add(tenant, { type: 'davit.fleet.alarm-cleared', data });
  }
  return [...changes].flatMap(([tenant, [first, ...rest]]) =>
    first ? [{ tenant, stream: stream.fleetAlarms, events: [first, ...rest] as const }] : [],
  );
}
