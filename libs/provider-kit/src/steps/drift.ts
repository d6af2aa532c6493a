import type { EventData } from '@davit/contracts';
import type { ReplicaState } from '@davit/domain';
import type { Observation } from '../backend.js';

export type Drift = Omit<EventData<'davit.resource.drifted'>, 'externalKey' | 'replicaId' | 'adapter'>;

/** Longest text that says what was, or what is. */
const MAX_WORDS = 500;

/** What is seen of the replica's own thing: of another one that has its name now, that its own is lost. */
export function sightOf(replica: ReplicaState, seen: Observation): Observation {
  const other = replacementIn(replica, seen);
  if (other === null) return seen;
  const { url, providerId } = replica.resource ?? { url: null, providerId: null };
  const detail = `lost: ${other} has its name now, and nobody here asked for that`;
  return { phase: 'failed', url, providerId, price: null, class: 'not-found', detail };
}

/** What changed without anybody here asking for it; undefined when nothing did, or when it was told before. */
export function driftOf(replica: ReplicaState, seen: Observation): Drift | undefined {
  const { resource } = replica;
  if (!resource) return undefined;
  const other = replacementIn(replica, seen);
  if (other !== null) return drift(replica, 'replaced', `${other}, ${seen.phase}`, seen.detail);
  if (seen.phase === 'stopped' && resource.phase === 'up') return drift(replica, 'stopped', 'stopped', seen.detail);
  if (seen.recordLost && resource.drift?.what !== 'record-lost') {
    const { source, providerId } = seen.recordLost;
    return drift(replica, 'record-lost', `${providerId}, which only ${source} shows`, seen.detail);
  }
  if (seen.changed && !wasTold(resource.drift, seen.changed.is)) {
    const { was, is } = seen.changed;
    return { what: 'changed', was: was.slice(0, MAX_WORDS), is: is.slice(0, MAX_WORDS), detail: seen.detail };
  }
  return undefined;
}

const wasTold = (told: { readonly what: string; readonly is: string } | undefined, is: string): boolean =>
  told?.what === 'changed' && told.is === is.slice(0, MAX_WORDS);

/** It was there, it is proven gone, and nobody here asked for its end. */
export function vanished(replica: ReplicaState, sources: readonly string[]): Drift | undefined {
  if (!replica.resource || replica.deletion !== null) return undefined;
  return drift(replica, 'vanished', 'gone', `not listed by ${sources.join(', ')}`);
}

function drift({ resource }: ReplicaState, what: Drift['what'], is: string, detail: string): Drift {
  const was = resource ? `${resource.providerId ?? 'no identity'}, ${resource.phase} at ${resource.at}` : 'never seen';
  return { what, was: was.slice(0, MAX_WORDS), is: is.slice(0, MAX_WORDS), detail };
}

/**
 * The identity of another thing that stands where the replica's was; null when it is its own as far as is known. While it
 * starts, a provider may give it one identity after another.
 */
function replacementIn({ resource, everReady }: ReplicaState, seen: Observation): string | null {
  if (!resource || (resource.url === null && !everReady)) return null;
  const { providerId } = seen;
  return providerId !== null && resource.providerId !== null && providerId !== resource.providerId ? providerId : null;
}

/** True when an explanation is new. Its wording may follow a log that grows; its substance is where it is stuck and what helps. */
export function isNewDiagnosis({ resource }: ReplicaState, { diagnosis, url }: Observation): boolean {
  if (!diagnosis || url !== null) return false;
  const told = resource?.diagnosis;
  return told?.boundary !== diagnosis.boundary || told.class !== diagnosis.class || told.remedy !== diagnosis.remedy;
}
