import { type Envelope, type RecordedEvent, parseRecordedEvent, streamKeyOf } from '@davit/contracts';
import type { AppendContext } from '../event-log.js';
import type { PreparedAppend } from './prepare.js';

/** Where and when an append came to stand in the log. */
export interface Placement {
  readonly firstPosition: number;
  /** RFC 3339, from the store's clock. */
  readonly time: string;
  /** Version of the stream of each write before the append. */
  readonly versionsBefore: readonly number[];
}

/** The events of an append exactly as any later reader will see them. */
export function recordedEvents(append: PreparedAppend, placement: Placement): readonly RecordedEvent[] {
  const common = contextAttributes(append.context);
  return append.events.map((event, index) => {
    const stream = append.writes[event.write]?.stream ?? '';
    const data: unknown = JSON.parse(event.data);
    return parseRecordedEvent({
      specversion: '1.0',
      id: event.id,
      source: sourceOf(append.context),
      type: event.type,
      subject: streamKeyOf(stream),
      time: placement.time,
      dataschema: event.dataschema,
      data,
      stream,
      version: (placement.versionsBefore[event.write] ?? 0) + event.offset,
      position: placement.firstPosition + index,
      ...common,
    });
  });
}

export const sourceOf = (context: AppendContext): string => `/davit/${context.service}`;

type ContextAttributes = Pick<
  Envelope,
  'tenant' | 'causationid' | 'correlationid' | 'actor' | 'basedonposition' | 'traceparent'
>;

function contextAttributes(context: AppendContext): ContextAttributes {
  return {
    tenant: context.tenant,
    ...(context.causationId === undefined ? {} : { causationid: context.causationId }),
    ...(context.correlationId === undefined ? {} : { correlationid: context.correlationId }),
    ...(context.actor === undefined ? {} : { actor: context.actor }),
    ...(context.basedOnPosition === undefined ? {} : { basedonposition: context.basedOnPosition }),
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
  };
}
