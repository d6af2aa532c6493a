import { EVENT_CATEGORIES } from '../../events/define.js';
import type { EventSchemas } from '../events.js';

const categoryIn = (subject: string): string => subject.split('.')[2] ?? '';
const nameIn = (subject: string): string => subject.split('.')[3] ?? '';

/** The log on the bus: a channel for each category, whose messages are the types of its events. */
export function eventParts({ events }: EventSchemas) {
  const channels = EVENT_CATEGORIES.map((category) => {
    const own = events.filter(({ subject }) => categoryIn(subject) === category);
    return [
      `log.${category}`,
      {
        address: `davit.log.${category}.{event}`,
        description: `Events of category ${category}, in stream LOG: the sequence of a message is the position of its event.`,
        parameters: { event: { enum: own.map(({ subject }) => nameIn(subject)) } },
        messages: Object.fromEntries(own.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    ] as const;
  });
  const operations = EVENT_CATEGORIES.map((category): readonly [string, object] => [
    `tell.${category}`,
    { action: 'send', channel: { $ref: `#/channels/log.${category}` }, summary: `What happened: ${category}` },
  ]);
  const messages = events.map(({ type, dataschema, subject }): readonly [string, object] => [
    type,
    {
      name: type,
      title: type,
      contentType: 'application/json',
      'x-subject': subject,
      payload: {
        allOf: [
          { $ref: '#/components/schemas/envelope' },
          {
            type: 'object',
            properties: {
              type: { const: type },
              dataschema: { const: dataschema },
              data: { $ref: `#/components/schemas/${type}` },
            },
          },
        ],
      },
    },
  ]);
  return {
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(operations),
    messages: Object.fromEntries(messages),
  };
}
