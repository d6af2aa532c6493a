import type { z } from 'zod';
import { EVENT_DEFINITIONS, dataSchemaOf } from '../events/catalogue.js';
import { subjects } from '../subjects.js';
import { type JsonSchema, type JsonSchemas, writeSchemas } from './json-schema.js';
import { NAMED_SHAPES, named, reachable } from './named-shapes.js';

export interface EventSchemas {
  readonly events: readonly {
    readonly type: string;
    readonly dataschema: string;
    readonly subject: string;
    readonly data: JsonSchema;
  }[];
  readonly envelope: JsonSchema;
  /** Shapes that stand in several of them, in the order of their names. */
  readonly shapes: JsonSchemas;
}

/**
 * JSON Schema of every event, and of the shapes that they share.
 * @param root what stands before the name of a shape, for example `#/$defs/`
 */
export function eventSchemas(root: string): EventSchemas {
  // Two types may share one schema.
  const names = new Map<z.ZodType, string>(EVENT_DEFINITIONS.map(({ data, type }) => [data, type]));
  const schemas = writeSchemas(new Map([...NAMED_SHAPES, ...names]), { io: 'output', root });
  const events = EVENT_DEFINITIONS.map((definition) => ({
    type: definition.type,
    dataschema: dataSchemaOf(definition),
    subject: subjects.log(definition.type),
    data: named(schemas, names.get(definition.data)),
  }));
  const attributes = named(schemas, 'envelope');
  return {
    events,
    envelope: attributes,
    shapes: reachable(schemas, [attributes, ...events.map(({ data }) => data)], root),
  };
}

/** The published file: what stands in the log and travels on `davit.log.>`. */
export function eventsFile(): JsonSchema {
  const { events, envelope: attributes, shapes } = eventSchemas('#/$defs/');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:davit:schema:events',
    title: 'Events of Davit, as they stand in the log and travel on davit.log.>',
    allOf: [{ $ref: '#/$defs/envelope' }],
    oneOf: events.map(({ type, dataschema }) => ({
      properties: { type: { const: type }, dataschema: { const: dataschema }, data: { $ref: `#/$defs/${type}` } },
    })),
    $defs: { ...shapes, envelope: attributes, ...Object.fromEntries(events.map(({ type, data }) => [type, data])) },
  };
}
