import { z } from 'zod';
import { instant, position } from './primitives.js';

/** CloudEvents 1.0 attributes and Davit's extensions, as stored in the log and sent on the bus. */
export const envelope = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.uuid(),
  source: z.string().startsWith('/davit/'),
  type: z.string().startsWith('davit.'),
  subject: z.string().min(1),
  time: instant,
  dataschema: z.string().startsWith('davit:'),
  datacontenttype: z.literal('application/json').optional(),
  data: z.unknown(),
  tenant: z.string().min(1),
  stream: z.string().min(1),
  version: z.int().positive(),
  position,
  causationid: z.string().optional(),
  correlationid: z.string().optional(),
  actor: z.string().optional(),
  basedonposition: z.int().nonnegative().optional(),
  traceparent: z.string().optional(),
});
export type Envelope = z.infer<typeof envelope>;
