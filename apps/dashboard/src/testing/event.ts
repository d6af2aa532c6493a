import type { EventData, EventType, RecordedEvent } from '@davit/contracts';

/** An event as a log would hold it, `second` seconds after the first. */
export function eventAt<Type extends EventType>(
  position: number,
  second: number,
  type: Type,
  // Tests write what the rule under test reads.
  data: Partial<EventData<Type>>,
  subject = 'default/qwen',
): RecordedEvent {
  const [, category = ''] = type.split('.');
  return {
    ...{ specversion: '1.0', id: `id-${position}`, source: '/davit/test', dataschema: 'davit:test:v1' },
    ...{ tenant: 'default', stream: `${category}/${subject}`, subject, version: position },
    ...{ position, type, data, time: new Date(second * 1_000).toISOString() },
  } as unknown as RecordedEvent;
}
