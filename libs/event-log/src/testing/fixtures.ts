import type { NewEvent } from '@davit/contracts';
import type { AppendContext, EventLog, StreamWrite } from '../event-log.js';

/** An event that any stream of a test may hold. */
export const alarm = (detail: string): NewEvent => ({
  type: 'davit.fleet.alarm-raised',
  data: { alarm: 'test', severity: 'warning', about: 'test', detail },
});

export const context: AppendContext = { tenant: 'default', service: 'test' };

/** A write of `count` events. */
export function write(stream: string, expectedVersion: number | 'any', count = 1): StreamWrite {
  const rest = Array.from({ length: count - 1 }, (_, index) => alarm(`${stream} ${index + 2}`));
  return { stream, expectedVersion, events: [alarm(`${stream} 1`), ...rest] };
}

export const appendTo = (log: EventLog, stream: string, expectedVersion: number | 'any' = 'any', count = 1) =>
  log.append([write(stream, expectedVersion, count)], context);
