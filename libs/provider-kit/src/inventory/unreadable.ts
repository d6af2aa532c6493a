import { type NewEvent, stream } from '@davit/contracts';
import { alarmKeyOf } from '@davit/domain';
import type { ReconcileContext } from '@davit/reconcile';

const ALARM = 'inventory-unreadable';

/** For this long nobody could say what is rented: things may bill that nothing here knows of. */
export async function tellUnreadable(
  context: ReconcileContext,
  adapter: string,
  sinceMs: number,
  reason: string,
): Promise<void> {
  if (await isRaised(context, adapter)) return;
  const detail = `no inventory of ${adapter} could be read since ${new Date(sinceMs).toISOString()}: ${reason}`;
  await tell(context, {
    type: 'davit.fleet.alarm-raised',
    data: { alarm: ALARM, severity: 'warning', about: adapter, detail },
  });
}

export async function tellReadable(context: ReconcileContext, adapter: string): Promise<void> {
  if (!(await isRaised(context, adapter))) return;
  const detail = `the inventory of ${adapter} can be read again`;
  await tell(context, { type: 'davit.fleet.alarm-cleared', data: { alarm: ALARM, about: adapter, detail } });
}

const isRaised = async (context: ReconcileContext, adapter: string): Promise<boolean> =>
  (await context.model.get('alarm', alarmKeyOf({ alarm: ALARM, about: adapter }))) !== undefined;

const tell = (context: ReconcileContext, event: NewEvent): Promise<unknown> =>
  context.append([{ stream: stream.fleetAlarms, expectedVersion: 'any', events: [event] }], { tenant: 'default' });
