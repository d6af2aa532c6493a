import { z } from 'zod';
import { envelope } from '../envelope.js';
import { type NewEvent, type RecordedEvent, dataSchemaOf, eventDefinition } from './catalogue.js';

/** An event that cannot be read or must not be written. Readers stop at it: skipping would falsify every fold after it. */
export class InvalidEventError extends Error {
  readonly code = 'invalid-event';
  constructor(
    readonly eventType: string,
    readonly position: number | undefined,
    reason: string,
  ) {
    super(`event ${eventType}${position === undefined ? '' : ` at position ${position}`}: ${reason}`);
    this.name = 'InvalidEventError';
  }
}

/**
 * Validates an event read from the log or the bus against its own schema.
 * @throws InvalidEventError for an unknown type, an unknown schema version or data that does not fit
 */
export function parseRecordedEvent(input: unknown): RecordedEvent {
  const parsed = envelope.safeParse(input);
  if (!parsed.success) throw new InvalidEventError('?', undefined, z.prettifyError(parsed.error));
  const { type, position, dataschema, data } = parsed.data;
  const definition = eventDefinition(type);
  if (!definition) throw new InvalidEventError(type, position, 'no such event type; upgrade this reader');
  if (dataschema !== dataSchemaOf(definition)) {
    throw new InvalidEventError(
      type,
      position,
      `schema ${dataschema} is not known here (known: ${dataSchemaOf(definition)})`,
    );
  }
  const checked = definition.data.safeParse(data);
  if (!checked.success) throw new InvalidEventError(type, position, z.prettifyError(checked.error));
  // The catalogue pairs each type with its data schema, which TypeScript cannot follow through the map.
  return { ...parsed.data, data: checked.data } as RecordedEvent;
}

/**
 * Validates an event before it is written.
 * @throws InvalidEventError when the type is unknown or the data does not fit: a defect of the writer
 */
export function checkNewEvent(event: NewEvent): { readonly dataschema: string } {
  const definition = eventDefinition(event.type);
  if (!definition) throw new InvalidEventError(event.type, undefined, 'no such event type');
  const checked = definition.data.safeParse(event.data);
  if (!checked.success) throw new InvalidEventError(event.type, undefined, z.prettifyError(checked.error));
  return { dataschema: dataSchemaOf(definition) };
}
