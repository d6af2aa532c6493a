import type { InstanceRow } from '../api/instances.js';

/**
 * What an update moves in the records of instances, which nothing documents. Learnt from the first update of a canary; null
 * is not learnt. A field that does not move says nothing of a worker, and is not gone by.
 */
export interface Capabilities {
  readonly templateIdMoves: boolean | null;
  readonly templateHashMoves: boolean | null;
  readonly imageMoves: boolean | null;
}

export const UNLEARNT: Capabilities = { templateIdMoves: null, templateHashMoves: null, imageMoves: null };

/** One worker before and after an update that its own answers proved. */
export interface ProvenUpdate {
  readonly before: InstanceRow;
  readonly after: InstanceRow;
}

export interface UpdatedTo {
  readonly id: number;
  readonly hash: string;
  readonly image: string;
}

/**
 * What proven updates teach, added to what is known. A field moves when it came to be the new template's in each of them, and
 * does not when it stayed as it was, or is not told, in any.
 */
export function learn(known: Capabilities, updates: readonly ProvenUpdate[], to: UpdatedTo): Capabilities {
  const moved = <Field extends keyof InstanceRow>(field: Field, wanted: InstanceRow[Field]): boolean | null => {
    // Where it was the new one before, nothing could be seen to move.
    const telling = updates.filter(({ before }) => before[field] !== wanted);
    return telling.length === 0 ? null : telling.every(({ after }) => after[field] === wanted);
  };
  return {
    templateIdMoves: moved('template_id', to.id) ?? known.templateIdMoves,
    templateHashMoves: moved('template_hash_id', to.hash) ?? known.templateHashMoves,
    imageMoves: moved('image_uuid', to.image) ?? known.imageMoves,
  };
}
