import type { RecordedEvent } from '@davit/contracts';

interface Change {
  readonly route: string;
  readonly url: string;
  readonly body: string;
  readonly position: number;
}

type Started = Extract<RecordedEvent, { type: 'davit.rollout.started' }>;

/**
 * Changes of what serves, from the start of a rollout on, that rest on no word: each needs an update that was announced before it and
 * cites an approval of its evidence, or a declaration that is one.
 * @param endpointIds of what serves
 */
export function unapprovedChanges(
  requests: readonly Change[],
  events: readonly RecordedEvent[],
  endpointIds: readonly number[],
): readonly string[] {
  const started = events.find((event): event is Started => event.type === 'davit.rollout.started');
  if (!started) return [];
  const approved = events.find((event) => event.type === 'davit.rollout.update-attempted' && isApproved(event, events));
  return requests
    .filter((request) => request.position > started.position && changesProduction(request, started, endpointIds))
    .filter(({ position }) => approved === undefined || position < approved.position)
    .map(({ route }) => `${route} on what serves, without a word that names it`);
}

function changesProduction({ route, url, body }: Change, { data }: Started, endpointIds: readonly number[]): boolean {
  const id = String(data.workergroupId);
  if (route === 'POST /update_workers/') return body.includes(`"workergroup_id":${id}`);
  if (/^(PUT|DELETE) .*\/workergroups\//.test(route)) return url.includes(`/${id}/`);
  return /^(PUT|DELETE) .*\/endptjobs\//.test(route) && endpointIds.some((one) => url.includes(`/${one}/`));
}

function isApproved(update: RecordedEvent, events: readonly RecordedEvent[]): boolean {
  if (update.type !== 'davit.rollout.update-attempted') return false;
  const { approval, rolloutId } = update.data;
  const word = events.find(({ id }) => id === approval.eventId);
  if (!word || word.position > update.position) return false;
  if (approval.by === 'declaration') return word.type === 'davit.deployment.declared';
  return (
    word.type === 'davit.deployment.rollout-approved' &&
    word.data.rolloutId === rolloutId &&
    word.data.evidenceDigest === approval.evidenceDigest
  );
}
