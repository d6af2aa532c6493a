import type { InstanceRow } from '../api/instances.js';
import type { JoinedWorker } from '../joined.js';
import { type Capabilities, UNLEARNT } from './capabilities.js';

export interface CandidateTemplate {
  readonly id: number;
  readonly hash: string;
  /** With its tag. */
  readonly image: string;
  /** False when old and new template have one image, which then tells nothing. */
  readonly imageIsNew: boolean;
}

/** Which model a worker's own answer showed; undefined when it was not asked. */
export type ProbedIdentity = 'candidate' | 'old' | undefined;

export interface OnCandidate {
  readonly verdict: 'yes' | 'no' | 'unknown';
  /** What was gone by, in words without secrets. */
  readonly evidence: readonly string[];
}

/** What one field says: it may be silent because it is not shown, or because it is known not to move with an update. */
type Says = 'candidate' | 'old' | 'silent';

/** States in which a worker has come to rest: serving, or asleep with its model on disk. */
const AT_REST = new Set(['idle', 'stopped']);
export const isAtRest = ({ status }: Pick<JoinedWorker, 'status'>): boolean => AT_REST.has(status);

/**
 * Whether a worker runs the candidate. The list of workers does not tell their template, so it takes the instance's template
 * by id and hash, a load after the trigger, and a worker at rest. Where the instance's fields are silent, its image and what
 * the worker itself answered stand in. Whatever contradicts itself is unknown, never yes.
 * @param triggerAtMs when the update was triggered, in milliseconds since 1970
 */
export function onCandidate(
  worker: JoinedWorker,
  instance: InstanceRow | null | undefined,
  candidate: CandidateTemplate,
  triggerAtMs: number,
  learnt: Capabilities = UNLEARNT,
  probed?: ProbedIdentity,
): OnCandidate {
  const said: Said = {
    id: says(instance?.template_id, candidate.id, learnt.templateIdMoves),
    hash: says(instance?.template_hash_id, candidate.hash, learnt.templateHashMoves),
    image: candidate.imageIsNew ? says(instance?.image_uuid, candidate.image, learnt.imageMoves) : 'silent',
    loaded: loadedOf(worker, triggerAtMs),
    atRest: isAtRest(worker),
    probed,
  };
  const evidence = [
    `status ${worker.status}`,
    `template id ${words(said.id)}`,
    `template hash ${words(said.hash)}`,
    `image ${words(said.image)}`,
    said.loaded === 'silent' ? 'load not told' : `loaded ${said.loaded} the trigger`,
    ...(probed === undefined ? [] : [`its own answer shows the ${probed}`]),
  ];
  return { verdict: verdictOf(said, candidate.imageIsNew, learnt), evidence };
}

interface Said {
  readonly id: Says;
  readonly hash: Says;
  readonly image: Says;
  readonly loaded: 'before' | 'after' | 'silent';
  readonly atRest: boolean;
  readonly probed: ProbedIdentity;
}

function verdictOf(said: Said, imageIsNew: boolean, learnt: Capabilities): OnCandidate['verdict'] {
  const { image, loaded, atRest, probed } = said;
  if (probed === 'old') return 'no';
  const template = templateSays(said, learnt);
  if (template === 'old') return oldIsProven(said, learnt) || loaded !== 'after' ? 'no' : 'unknown';
  if (template === 'silent' && image === 'old') {
    return learnt.imageMoves === true || loaded !== 'after' ? 'no' : 'unknown';
  }
  if (template === 'silent' && loaded === 'before') return 'no';
  if (!atRest || loaded !== 'after') return 'unknown';
  if (template === 'candidate') return 'yes';
  return probed === 'candidate' && (image === 'candidate' || !imageIsNew) ? 'yes' : 'unknown';
}

const oldIsProven = ({ id, hash }: Said, learnt: Capabilities): boolean =>
  (id === 'old' && learnt.templateIdMoves === true) || (hash === 'old' && learnt.templateHashMoves === true);

function loadedOf({ loadedAtMs }: JoinedWorker, triggerAtMs: number): Said['loaded'] {
  if (loadedAtMs === null) return 'silent';
  return loadedAtMs > triggerAtMs ? 'after' : 'before';
}

/** Both identities have to say so; one that is known not to move may be silent. */
function templateSays({ id, hash }: Said, learnt: Capabilities): Says {
  if (id === 'old' || hash === 'old') return 'old';
  const idCounts = learnt.templateIdMoves !== false;
  const hashCounts = learnt.templateHashMoves !== false;
  if (!idCounts && !hashCounts) return 'silent';
  return (!idCounts || id === 'candidate') && (!hashCounts || hash === 'candidate') ? 'candidate' : 'silent';
}

function says<Value>(stored: Value | null | undefined, wanted: Value, moves: boolean | null): Says {
  if (moves === false || stored === null || stored === undefined) return 'silent';
  return stored === wanted ? 'candidate' : 'old';
}

const words = (said: Says): string => (said === 'silent' ? 'tells nothing' : `is the ${said}'s`);
