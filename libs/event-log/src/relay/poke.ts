import type { NatsConnection } from 'nats';
import { defaultMirrorNames } from './names.js';

/** For `PostgresEventLog`: tells relays that the log has grown. Fire and forget; a relay that hears nothing polls. */
export function natsPoke(connection: NatsConnection, subject = defaultMirrorNames.poke): () => void {
  return () => {
    if (!connection.isClosed() && !connection.isDraining()) connection.publish(subject);
  };
}
