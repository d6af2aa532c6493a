import { type RecordedEvent, subjects } from '@davit/contracts';
import { sequentialIds } from '@davit/ports';
import type { Bus } from '../connection.js';

const ids = sequentialIds(7);

/** An event as the log records it, at the given position. */
export const eventAt = (position: number): RecordedEvent => ({
  specversion: '1.0',
  id: ids.uuid(),
  source: '/davit/test',
  type: 'davit.fleet.alarm-raised',
  subject: 'fleet/alarms',
  time: '2026-01-01T00:00:00.000Z',
  dataschema: 'davit:fleet.alarm-raised:v1',
  tenant: 'default',
  stream: 'fleet/alarms',
  version: position,
  position,
  data: { alarm: 'test', severity: 'warning', about: 'test', detail: `event ${position}` },
});

/** Makes stream LOG so that its first message gets the sequence `first`. */
export async function createLog(bus: Bus, first = 1): Promise<void> {
  const manager = await bus.connection.jetstreamManager();
  await manager.streams.add({ name: 'LOG', subjects: [subjects.allLog] });
  if (first > 1) await manager.streams.purge('LOG', { seq: first });
}

/** Publishes the events of positions `from` to `to`, each as its own sequence. */
export async function publishEvents(bus: Bus, from: number, to: number): Promise<void> {
  const client = bus.connection.jetstream();
  const publishing: Promise<unknown>[] = [];
  for (let position = from; position <= to; position++) {
    const event = eventAt(position);
    const expect = { lastSequence: position - 1 };
    publishing.push(client.publish(subjects.log(event.type), JSON.stringify(event), { expect }));
  }
  await Promise.all(publishing);
}
