import type { EventData, RecordedEvent } from '@davit/contracts';

type Registered = EventData<'davit.webhook.registered'>;
type Suspended = EventData<'davit.webhook.suspended'>;
type DeadLettered = EventData<'davit.webhook.dead-lettered'>;

/** Dead letters that are remembered for sending them again; older ones stay in the log alone. */
const DEAD_LETTERS_KEPT = 100;

export type DeadLetter = Pick<
  DeadLettered,
  'eventPosition' | 'eventId' | 'eventType' | 'attempts' | 'status' | 'detail'
> & {
  readonly at: string;
  /** Asked for once more, and not yet taken. */
  readonly again: boolean;
};

/** A webhook as the log has it. */
export type WebhookState = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly tenants: 'all' | readonly string[];
  readonly filter: Registered['filter'];
  readonly secret: Registered['secret'];
  readonly status: 'active' | 'suspended' | 'removed';
  readonly suspended: { readonly reason: Suspended['reason']; readonly detail: string; readonly since: string } | null;
  /** Nothing up to here is still to be sent. */
  readonly cursor: number;
  readonly delivered: number;
  readonly deadLetters: readonly DeadLetter[];
  readonly createdAt: string;
  readonly createdBy: string | null;
  /** Version of the stream `webhook/<id>`. */
  readonly version: number;
};

export function evolveWebhook(state: WebhookState | undefined, event: RecordedEvent): WebhookState | undefined {
  if (event.type === 'davit.webhook.registered') return registered(event.data, event);
  if (!state) return state;
  const next = evolveRegistered(state, event);
  return next === state ? state : { ...next, version: event.version };
}

function registered(data: Registered, { time, actor, version }: RecordedEvent): WebhookState {
  const { webhookId: id, name, url, tenants, filter, secret, after: cursor } = data;
  return {
    ...{ id, name, url, tenants, filter, secret, cursor, version },
    status: 'active',
    suspended: null,
    delivered: 0,
    deadLetters: [],
    createdAt: time,
    createdBy: actor ?? null,
  };
}

function evolveRegistered(state: WebhookState, event: RecordedEvent): WebhookState {
  switch (event.type) {
    case 'davit.webhook.removed':
      return { ...state, status: 'removed', suspended: null };
    case 'davit.webhook.progressed':
      return movedTo(state, event.data.upTo, event.data.delivered);
    case 'davit.webhook.dead-lettered': {
      const letter = letterOf(event.data, event.time);
      const others = state.deadLetters.filter(({ eventPosition }) => eventPosition !== letter.eventPosition);
      const deadLetters = [...others, letter].slice(-DEAD_LETTERS_KEPT);
      return { ...movedTo(state, letter.eventPosition, 0), deadLetters };
    }
    case 'davit.webhook.suspended': {
      const { reason, detail } = event.data;
      return { ...state, status: 'suspended', suspended: { reason, detail, since: event.time } };
    }
    case 'davit.webhook.resumed':
      return { ...state, status: 'active', suspended: null };
    case 'davit.webhook.redelivery-requested': {
      const { positions } = event.data;
      const deadLetters = state.deadLetters.map((letter) =>
        positions.includes(letter.eventPosition) ? { ...letter, again: true } : letter,
      );
      return { ...state, deadLetters };
    }
    case 'davit.webhook.redelivered': {
      const { eventPosition } = event.data;
      const deadLetters = state.deadLetters.filter((letter) => letter.eventPosition !== eventPosition);
      return { ...state, deadLetters, delivered: state.delivered + 1 };
    }
    default:
      return state;
  }
}

const movedTo = (state: WebhookState, position: number, delivered: number): WebhookState => ({
  ...state,
  cursor: Math.max(state.cursor, position),
  delivered: state.delivered + delivered,
});

const letterOf = (data: DeadLettered, at: string): DeadLetter => {
  const { eventPosition, eventId, eventType, attempts, status, detail } = data;
  return { eventPosition, eventId, eventType, attempts, status, detail, at, again: false };
};
