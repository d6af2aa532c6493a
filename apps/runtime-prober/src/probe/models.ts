import type { ServerFacts } from '@davit/domain';
import { MAX_ADAPTERS } from '@davit/contracts';
import { z } from 'zod';
import type { Engine, ModelCard } from '../engines/engine.js';
import { printable } from './findings.js';
import { jsonOf } from './json.js';

const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      // A proxy may write anything here; what is not understood is not told.
      parent: z.string().nullish().catch(undefined),
      max_model_len: z.number().nullish().catch(undefined),
    }),
  ),
});

export const MODEL_NAME_LENGTH = 200;

/** Models that a server lists; undefined when the body is no such list, for example a placeholder page. */
export const listedModels = (body: string): readonly ModelCard[] | undefined =>
  modelList.safeParse(jsonOf(body)).data?.data;

/** What the list tells of the expected model: its context length, and the adapters beside it. */
export function factsIn(cards: readonly ModelCard[], model: string, { card, listsAdapters }: Engine): ServerFacts {
  const own = cards.find(({ id }) => id === model);
  const adapters = cards.filter(({ id, parent }) => id !== model && typeof parent === 'string').map(({ id }) => id);
  const tellsAdapters = listsAdapters === 'always' || (listsAdapters === 'some-releases' && adapters.length > 0);
  return {
    ...(own ? card(own) : {}),
    ...(tellsAdapters
      ? {
          adapters: adapters
            .slice(0, MAX_ADAPTERS)
            .map((id) => printable(id, MODEL_NAME_LENGTH))
            .toSorted(),
        }
      : {}),
  };
}
