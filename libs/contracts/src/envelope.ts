import { z } from 'zod';
import { instant, position } from './primitives.js';

/** CloudEvents 1.0 attributes and Davit's extensions, as stored in the log and sent on the bus. */
export const envelope = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.uuid(),
  /** The service that wrote it: `/davit/<service>`. */
  source: z.string().startsWith('/davit/'),
  /** `davit.<category>.<name>`, past tense. */
  type: z.string().startsWith('davit.'),
  /** Key of the stream: what the event is about. */
  subject: z.string().min(1),
  /** The database's clock at the append. */
  time: instant,
  /** `davit:<category>.<name>:v<version>`: the schema that `data` was written with. */
  dataschema: z.string().startsWith('davit:'),
  datacontenttype: z.literal('application/json').optional(),
  data: z.unknown(),
  tenant: z.string().min(1),
  /** `<category>/<key>`. */
  stream: z.string().min(1),
  /** Place within its stream: 1, 2, 3, … */
  version: z.int().positive(),
  position,
  /** Id of the event or message that led to this one. */
  causationid: z.string().optional(),
  /** Id of the intent at the root. */
  correlationid: z.string().optional(),
  /** Who asked, as the intent said. */
  actor: z.string().optional(),
  /** Position up to which the writer had read when it decided. */
  basedonposition: z.int().nonnegative().optional(),
  /** W3C trace context. */
  traceparent: z.string().optional(),
});
export type Envelope = z.infer<typeof envelope>;
