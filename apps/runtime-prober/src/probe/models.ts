import { z } from 'zod';

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Ids of the models a server lists; undefined when the body is no such list, for example a placeholder page. */
export function listedModels(body: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const list = modelList.safeParse(value);
  return list.success ? list.data.data.map(({ id }) => id) : undefined;
}
