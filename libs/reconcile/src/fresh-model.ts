import { type ReadModel, ReadModelBehindError } from '@davit/projection';

/**
 * The read model for one pass: it never shows less than what the pass was decided to run on. The tables may go back without
 * the runner knowing yet: lost and filled anew by a rival, or taken back by a crash of the database.
 */
export function freshModel(model: ReadModel, notBefore: number): ReadModel {
  const position = async (): Promise<number> => {
    const present = await model.position();
    if (present < notBefore) throw new ReadModelBehindError(present, notBefore);
    return present;
  };
  return {
    get: (kind, key) => model.get(kind, key, notBefore),
    list: (kind, group) => model.list(kind, group, notBefore),
    async scan(after, limit) {
      await position();
      return model.scan(after, limit);
    },
    position,
  };
}
