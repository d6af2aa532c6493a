import type { EventOf, IntentView, RecordedEvent } from '@davit/contracts';

type IntentEvent = EventOf<'intent'>;
type Outcome = Exclude<IntentEvent, { type: 'davit.intent.received' }>;
type Received = Extract<IntentEvent, { type: 'davit.intent.received' }>;

const isIntent = (event: RecordedEvent): event is IntentEvent => event.type.startsWith('davit.intent.');

/** The intents that some events tell of, in the order of their outcomes. */
export function intentsIn(events: readonly RecordedEvent[]): readonly IntentView[] {
  const received = new Map<string, Received>();
  return events.filter(isIntent).flatMap((event): IntentView[] => {
    if (event.type === 'davit.intent.received') {
      received.set(event.data.intentId, event);
      return [];
    }
    const asked = received.get(event.data.intentId);
    return asked ? [viewOf(asked, event)] : [];
  });
}

function viewOf({ data: { intentId, verb, channel }, tenant, actor, time }: Received, event: Outcome): IntentView {
  const common = { id: intentId, tenant, verb, channel, actor: actor ?? null, at: time, position: event.position };
  const nothing = { deployment: null, about: null, revision: null, generation: null, changed: null };
  if (event.type === 'davit.intent.rejected') {
    const { code, detail, problems } = event.data;
    return { ...common, ...nothing, outcome: 'rejected', refusal: { code, detail, problems } };
  }
  const { deployment = null, about = null, revision = null, generation = null, changed } = event.data;
  return { ...common, outcome: 'accepted', deployment, about, revision, generation, changed, refusal: null };
}
