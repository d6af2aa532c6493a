import type { z } from 'zod';

export const EVENT_CATEGORIES = [
  'intent',
  'deployment',
  'replica',
  'resource',
  'endpoint',
  'capacity',
  'runtime',
  'route',
  'fleet',
  'tenant',
  'rollout',
  'access',
  'webhook',
] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

export type EventTypeName = `davit.${EventCategory}.${string}`;

export interface EventDefinition<Type extends EventTypeName = EventTypeName, Data extends z.ZodType = z.ZodType> {
  readonly type: Type;
  readonly schemaVersion: number;
  readonly data: Data;
}

/** Declares one event type. Data schemas are strict: an unknown field is a defect of the writer. */
export function defineEvent<Type extends EventTypeName, Data extends z.ZodType>(
  type: Type,
  schemaVersion: number,
  data: Data,
): EventDefinition<Type, Data> {
  return { type, schemaVersion, data };
}
