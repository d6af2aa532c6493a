import { z } from 'zod';

/** Bucket of the bus that holds the present snapshot of each alias for whoever starts late. A cache: losing it loses nothing. */
export const ROUTES_BUCKET = 'routes';

/**
 * Key of an alias in the bucket: `default/qwen3-8b` → `default.qwen3-8b`. Keys take no colon, and dots only between their parts; in
 * the name of a model both are written as `=` and their code.
 */
export function routeCacheKey(alias: string): string {
  const slash = alias.indexOf('/');
  const model = alias
    .slice(slash + 1)
    .replace(/[^A-Za-z0-9/_-]/g, (character) => `=${character.charCodeAt(0).toString(16)}`);
  return `${alias.slice(0, slash)}.${model}`;
}

/** Key of the list of aliases of which targets are withheld at present. Keys of aliases have a dot; where this one is missing, nothing ever was. */
export const WITHHELD_KEY = 'withheld';

/** What stands there: aliases, sorted. */
export const withheldAliases = z.array(z.string());
