import type { EventOf, StoryTopic } from '@davit/contracts';
import { type Phrase, type Told, joined } from './line.js';

/** Alarms, orders to the whole fleet, and what was lost of it. */
export function toldOfFleet(event: EventOf<'fleet'>): Told {
  const tell = (topic: StoryTopic, ...parts: readonly Phrase[]): Told => ({ topic, text: joined(...parts) });
  switch (event.type) {
    case 'davit.fleet.alarm-raised': {
      const { alarm, about, severity, detail } = event.data;
      return tell('alarm', `alarm ${alarm} is raised on ${about} (${severity}): ${detail}`);
    }
    case 'davit.fleet.alarm-cleared': {
      const { alarm, about, detail } = event.data;
      return tell('alarm', `alarm ${alarm} on ${about} is cleared: ${detail}`);
    }
    case 'davit.fleet.replica-lost':
      return { ...tell('failure', `it counts as lost: ${event.data.reason}`), replica: event.data.replicaId };
    case 'davit.fleet.frozen':
      return tell('alarm', `the fleet is frozen: ${event.data.detail}`);
    case 'davit.fleet.thawed':
      return tell('alarm', `the fleet is thawed (${event.data.why}): ${event.data.detail}`);
    case 'davit.fleet.thaw-ordered':
      return tell('alarm', `an operator orders the fleet thawed: ${event.data.reason}`);
    case 'davit.fleet.reap-approved':
      return tell('orphan', `an operator approves its deletion: ${event.data.reason}`);
  }
}
