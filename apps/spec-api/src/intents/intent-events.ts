import {
  type EventData,
  type FieldProblem,
  type IntentAnswer,
  type NewEvent,
  type RecordedEvent,
  cut,
  stream,
} from '@davit/contracts';
import type { StreamWrite } from '@davit/event-log';
import type { Intent } from './intent.js';

export function acceptance(intent: Intent, facts: AcceptedFacts): StreamWrite {
  return {
    stream: stream.intent(intent.id),
    expectedVersion: 0,
    events: [received(intent), { type: 'davit.intent.accepted', data: { intentId: intent.id, ...facts } }],
  };
}

type AcceptedFacts = Omit<EventData<'davit.intent.accepted'>, 'intentId'>;

/** Nothing of the content is kept but its digest: what was accepted stands in `deployment.declared`. */
function received({ id, verb, origin, facts, digest }: Intent): NewEvent {
  return {
    type: 'davit.intent.received',
    data: {
      intentId: id,
      verb,
      channel: origin.channel,
      idempotencyKey: facts.idempotencyKey ?? null,
      contentDigest: digest,
    },
  };
}

export function rejection(intent: Intent, code: string, problems: readonly FieldProblem[]): StreamWrite {
  const bounded = problems.map(({ path, message, remedy }) => ({
    path: cut(path, 400),
    message: cut(message, 500),
    remedy: cut(remedy, 500),
  }));
  const [first] = bounded;
  const where = first?.path ? `${first.path}: ` : '';
  const more = bounded.length > 1 ? ` (and ${bounded.length - 1} more)` : '';
  const detail = `${where}${first?.message ?? 'not accepted'}${more}`;
  return {
    stream: stream.intent(intent.id),
    expectedVersion: 0,
    events: [
      received(intent),
      { type: 'davit.intent.rejected', data: { intentId: intent.id, code, detail, problems: bounded } },
    ],
  };
}

/** What the log says of an intent. */
export function answerFrom(events: readonly RecordedEvent[]): IntentAnswer {
  for (const { type, data, position } of events) {
    if (type === 'davit.intent.accepted') return acceptedAnswer(data, position);
    if (type === 'davit.intent.rejected') {
      const { intentId, code, detail, problems } = data;
      return { outcome: 'rejected', intentId, code, detail, problems, position };
    }
  }
  throw new Error('the events of an intent hold neither its acceptance nor its rejection');
}

function acceptedAnswer(data: EventData<'davit.intent.accepted'>, position: number): IntentAnswer {
  const { intentId, changed, about = '', deployment, revision, generation } = data;
  const common = { outcome: 'accepted', intentId, changed, position } as const;
  if (deployment === undefined || revision === undefined || generation === undefined) return { ...common, about };
  return { ...common, deployment, revision, generation };
}
