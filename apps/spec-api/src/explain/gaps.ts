import type { RecordedEvent } from '@davit/contracts';

type Of<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { type: Type }>;
const allOf = <Type extends RecordedEvent['type']>(events: readonly RecordedEvent[], type: Type): Of<Type>[] =>
  // The filter keeps only this type, which TypeScript does not see for a type that is a parameter.
  events.filter((event) => event.type === type) as Of<Type>[];

/** Steps of the way back from a replica to the user's intent that the log does not hold; none when it does (law 15). */
export function brokenLinks(replicaId: string, events: readonly RecordedEvent[]): string[] {
  const requests = allOf(events, 'davit.replica.requested');
  const request = requests.find(({ data }) => data.replicaId === replicaId);
  if (!request) return [`The log holds no request of ${replicaId}.`];
  const { revision, replaces } = request.data;
  const before =
    replaces === null || requests.some(({ data }) => data.replicaId === replaces)
      ? []
      : [`The life before this one, ${replaces}, is not told here.`];
  const declared = allOf(events, 'davit.deployment.declared').findLast(
    ({ data, position }) => data.revision === revision && position < request.position,
  );
  if (!declared)
    return [...before, `The log holds no declaration of revision ${revision} before position ${request.position}.`];
  return [...before, ...unfoundedDecisions(replicaId, events), ...missingIntents([declared], events)];
}

/** The same for a deployment: every wish that it was declared with has to lead to an intent. */
export function brokenDeclarations(events: readonly RecordedEvent[]): string[] {
  const declared = allOf(events, 'davit.deployment.declared');
  return declared.length === 0 ? ['The log holds no declaration of it.'] : missingIntents(declared, events);
}

function missingIntents(
  declared: readonly Of<'davit.deployment.declared'>[],
  events: readonly RecordedEvent[],
): string[] {
  const known = new Set(allOf(events, 'davit.intent.accepted').map(({ data }) => data.intentId));
  return declared.flatMap(({ data, position }) =>
    known.has(data.intentId)
      ? []
      : [`The log holds no intent ${data.intentId}, which the declaration at position ${position} names.`],
  );
}

function unfoundedDecisions(replicaId: string, events: readonly RecordedEvent[]): string[] {
  return allOf(events, 'davit.replica.placed').flatMap(({ data, position }) =>
    data.replicaId === replicaId && data.placement !== null && data.evidence.length === 0
      ? [`The choice at position ${position} was recorded without its evidence.`]
      : [],
  );
}

/** What older versions did not write down yet: nothing is missing on the way back, but the story says less. */
export function omissions(events: readonly RecordedEvent[]): string[] {
  const judged = [...allOf(events, 'davit.replica.placed'), ...allOf(events, 'davit.replica.deferred')].filter(
    ({ data }) => data.evidence.some(({ price }) => price === undefined),
  );
  if (judged.length === 0) return [];
  const last = Math.max(...judged.map(({ position }) => position));
  return [
    `Decisions up to position ${last} were written by a version that recorded neither prices nor confidence of what it passed over; ages follow from the times.`,
  ];
}

/** The same for a rollout: it begins with a declaration, which an intent asked for. */
export function brokenRollout(events: readonly RecordedEvent[]): string[] {
  const [started] = [...allOf(events, 'davit.rollout.started'), ...allOf(events, 'davit.rollout.refused')];
  if (!started) return ['The log holds no beginning of it.'];
  const declared = allOf(events, 'davit.deployment.declared').filter(
    ({ data, position }) => data.revision === started.data.revision && position < started.position,
  );
  if (declared.length === 0)
    return [`The log holds no declaration of revision ${started.data.revision} before position ${started.position}.`];
  return missingIntents(declared.slice(-1), events);
}

/** The same for what a tenant may spend. */
export function brokenLimits(events: readonly RecordedEvent[]): string[] {
  const known = new Set(allOf(events, 'davit.intent.accepted').map(({ data }) => data.intentId));
  return allOf(events, 'davit.tenant.budget-set').flatMap(({ data, position }) =>
    known.has(data.intentId)
      ? []
      : [`The log holds no intent ${data.intentId}, which the limits at position ${position} name.`],
  );
}
