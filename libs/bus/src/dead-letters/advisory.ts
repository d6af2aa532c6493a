import { z } from 'zod';

const shared = {
  timestamp: z.iso.datetime({ offset: true }),
  stream: z.string(),
  consumer: z.string(),
  stream_seq: z.int().positive(),
  deliveries: z.int().nonnegative(),
};

/**
 * The broker's notice that it will not deliver a message any more.
 * Shapes: nats-server, `JSConsumerDeliveryExceededAdvisory` and `JSConsumerDeliveryTerminatedAdvisory`.
 */
export const giveUpAdvisory = z.discriminatedUnion('type', [
  z.object({ type: z.literal('io.nats.jetstream.advisory.v1.max_deliver'), ...shared }),
  z.object({ type: z.literal('io.nats.jetstream.advisory.v1.terminated'), ...shared, reason: z.string().optional() }),
]);
export type GiveUpAdvisory = z.infer<typeof giveUpAdvisory>;
