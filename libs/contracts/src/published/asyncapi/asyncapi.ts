import { eventSchemas } from '../events.js';
import { CONTRACT_VERSION } from '../version.js';
import { eventParts } from './events.js';
import { questionParts } from './question-parts.js';

/** AsyncAPI 3 document of everything that Davit says and is asked on the bus. */
export function asyncApiDocument(): object {
  const events = eventSchemas('#/components/schemas/');
  const told = eventParts(events);
  const asked = questionParts();
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Davit on the bus',
      version: CONTRACT_VERSION,
      description:
        'Seen from Davit: it sends events and receives intents and requests. Stream LOG holds every event there is, from position 1 on; a subscriber begins where it likes.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: { bus: { host: '127.0.0.1:4222', protocol: 'nats', description: 'NATS with JetStream' } },
    channels: { ...told.channels, ...asked.channels },
    operations: { ...told.operations, ...asked.operations },
    components: {
      messages: { ...told.messages, ...asked.messages },
      schemas: {
        ...events.shapes,
        envelope: events.envelope,
        ...Object.fromEntries(events.events.map(({ type, data }) => [type, data])),
        ...asked.schemas,
      },
    },
  };
}
