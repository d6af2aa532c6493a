import { type EventOf, type StoryTopic, counted } from '@davit/contracts';
import { describePlacement, describeTraffic } from '@davit/domain';
import { type Phrase, type Told, joined, priceText } from './line.js';

type ProviderFact = EventOf<'resource'> | EventOf<'endpoint'>;
/** The data of one fact about a thing at a provider, by its name without the category. */
type Fact = {
  [Type in ProviderFact['type']]: Type extends `davit.${'resource' | 'endpoint'}.${infer Name}`
    ? { readonly name: Name; readonly data: Extract<ProviderFact, { type: Type }>['data'] }
    : never;
}[ProviderFact['type']];

/** What was asked of the provider, what it answered, and what was seen there. */
export function toldOfProvider(event: ProviderFact): Told {
  const { name, data } = factOf(event);
  const tell = (topic: StoryTopic, ...parts: readonly Phrase[]): Told => ({
    topic,
    replica: event.data.replicaId,
    text: joined(...parts),
  });
  switch (name) {
    case 'discovered':
      return tell('discovery', `look ${data.attempt}: ${FOUND[data.outcome]}`, data.detail);
    case 'launch-attempted':
      return tell(
        'launch',
        `launch ${data.attempt} is sent to the provider${data.placement ? `: ${describePlacement(data.placement)}` : ''}`,
      );
    case 'launch-accepted':
      return tell(
        'launch',
        `the provider accepted launch ${data.attempt}`,
        data.resolvedBy === 'discovery' && 'found by looking, after its answer was lost',
      );
    case 'launch-refused':
      return tell('launch', `the provider refused launch ${data.attempt} (${data.class})`, data.detail);
    case 'launch-unknown':
      return tell(
        'launch',
        `the answer to launch ${data.attempt} was lost; looking decides, not trying again`,
        data.detail,
      );
    case 'observed':
      return tell(
        'machine',
        data.phase === 'unknown'
          ? 'the provider cannot be asked, which says nothing of the machine'
          : `the machine is ${data.phase}`,
        data.url !== null && `its address is ${data.url}`,
        data.price !== null && priceText(data.price),
        data.detail,
      );
    case 'diagnosed':
      return tell('machine', `its start is stuck at ${data.boundary} (${data.class}): ${data.detail}`, data.remedy);
    case 'drifted':
      return tell(
        'machine',
        `changed by somebody else (${data.what}): it was ${data.was}, it is ${data.is}`,
        data.detail,
      );
    case 'adopted':
      return tell('machine', 'it already ran and is adopted', data.detail);
    case 'delete-attempted':
      return tell('deletion', `deletion ${data.attempt} is sent to the provider`);
    case 'delete-accepted':
      return tell('deletion', `the provider accepted deletion ${data.attempt}, which proves nothing yet`, data.detail);
    case 'delete-refused':
      return tell('deletion', `the provider refused deletion ${data.attempt} (${data.class})`, data.detail);
    case 'delete-unknown':
      return tell('deletion', `the answer to deletion ${data.attempt} was lost`, data.detail);
    case 'absence-observed':
      return tell(
        'deletion',
        data.by === 'key'
          ? 'nothing of its name is seen'
          : `it is not among ${data.inventoryRows ?? 'the'} rows of the inventory`,
      );
    case 'absence-confirmed':
      return tell(
        'deletion',
        `proven gone: seen absent at ${data.observedAt.join(' and ')}, and not in an inventory of ${counted(data.inventoryRows, 'row')}`,
        data.inventorySources && `listed by ${data.inventorySources.join(' and ')}`,
      );
    case 'released':
      return tell('deletion', 'let go; it was only adopted and keeps running', data.detail);
    case 'orphan-found':
      return tell(
        'orphan',
        `nobody owns it (${data.reason})`,
        data.detail,
        `left alone until ${data.quarantinedUntil}`,
        `then: ${data.policy}`,
        data.price !== null && priceText(data.price),
      );
    case 'orphan-cleared':
      return tell('orphan', `no orphan any more (${data.reason})`, data.detail);
  }
}

// The name and the data belong together by the type of the event, which TypeScript does not follow through a substring.
const factOf = ({ type, data }: ProviderFact): Fact => ({ name: type.replace(/^davit\.[a-z]+\./, ''), data }) as Fact;

const FOUND = {
  present: 'something of its name already exists',
  absent: 'nothing of its name exists',
  unknown: 'whether something of its name exists is not known',
} as const;

/** What the prober found out. */
export function toldOfRuntime(event: EventOf<'runtime'>): Told | null {
  const { replicaId: replica } = event.data;
  const tell = (...parts: readonly Phrase[]): Told => ({ topic: 'runtime', replica, text: joined(...parts) });
  switch (event.type) {
    case 'davit.runtime.probing-started':
      return tell(`the model server at ${event.data.url} is probed for ${event.data.expectedModel}`);
    case 'davit.runtime.became-ready': {
      const { healthMs, modelsMs, inferenceMs, contextLength, adapters, engineVersion } = event.data.evidence;
      const took = [
        `health ${Math.round(healthMs)} ms`,
        `models ${Math.round(modelsMs)} ms`,
        ...(inferenceMs === null ? [] : [`inference ${Math.round(inferenceMs)} ms`]),
      ];
      return tell(
        `it serves ${event.data.servedModel}`,
        `proven by ${took.join(', ')}`,
        contextLength !== undefined && `context ${contextLength} tokens`,
        adapters !== undefined && adapters.length > 0 && `adapters ${adapters.join(', ')}`,
        engineVersion !== undefined && `version ${engineVersion}`,
      );
    }
    case 'davit.runtime.became-unready':
      return {
        ...tell(
          `it does not answer as it should (${event.data.reason}, ${event.data.consecutiveFailures} in a row)`,
          event.data.detail,
        ),
        signals: event.data.signals ?? [],
      };
    case 'davit.runtime.model-mismatched':
      return tell(`it serves ${event.data.found.join(', ') || 'no model'}, not ${event.data.expected}`);
    case 'davit.runtime.traffic-failed': {
      const { from, to } = event.data.window;
      return tell(`a gateway reports failed requests: ${describeTraffic(event.data)}`, `from ${from} to ${to}`);
    }
    case 'davit.runtime.load-summarised':
      return null;
  }
}

export function toldOfRoute(event: EventOf<'route'>): Told | null {
  switch (event.type) {
    case 'davit.route.registered':
      return {
        topic: 'route',
        replica: event.data.target.replica,
        text: `its route is registered: ${event.data.alias} → ${event.data.target.url} (snapshot ${event.data.snapshot})`,
      };
    case 'davit.route.withdrawn':
      return {
        topic: 'route',
        replica: event.data.replica,
        text: joined(
          `its route is withdrawn from ${event.data.alias} (snapshot ${event.data.snapshot})`,
          event.data.reason,
        ),
      };
    case 'davit.route.drained': {
      const { alias, snapshot, replica, outcome, cutRequests } = event.data;
      const cut = outcome === 'idle' ? null : `${cutRequests ?? 'an unknown number of'} requests were cut`;
      return { topic: 'route', replica, text: joined(`it left ${alias} (snapshot ${snapshot}): ${outcome}`, cut) };
    }
    case 'davit.route.snapshot-published':
      return null;
  }
}

export function toldOfCapacity(event: EventOf<'capacity'>): Told | null {
  if (event.type !== 'davit.capacity.assessed') return null;
  const { replicaId: replica, placement, rung, signal } = event.data;
  const { state, source, scope, level, detail, price } = signal;
  const text = joined(
    `advice on rung ${rung}, ${describePlacement(placement)}: ${state} by ${source} (${scope}${level === null ? '' : `, "${level}"`})`,
    priceText(price),
    detail,
  );
  return { topic: 'advice', replica, text };
}
