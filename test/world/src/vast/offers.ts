import { GPU_TYPES, gpuByName, type GpuType } from '../cloud/gpus.js';
import { isObject, type JsonObject } from '../http/wire.js';

export interface OfferSearch {
  readonly gpus: readonly GpuType[];
  readonly numGpus: number;
}

export type SearchQuery = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const WORDS: Readonly<Record<string, string>> = {
  '=': 'eq',
  '==': 'eq',
  '!=': 'neq',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
};

/** `gpu_ram>=23 num_gpus=1 gpu_name=RTX_4090` as the object form that the service reads back. */
export function parseSearch(search: string): SearchQuery {
  const query: Record<string, Record<string, unknown>> = {};
  for (const [, name = '', sign = '', value = ''] of search.matchAll(/(\w+)\s*(==|!=|>=|<=|=|>|<)\s*("[^"]*"|\S+)/g))
    query[name] = { ...query[name], [WORDS[sign] ?? 'eq']: literal(value.replace(/^"(.*)"$/, '$1')) };
  return query;
}

/** The object form written as text again. */
export const searchText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : isObject(value)
      ? Object.entries(value)
          .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
          .flatMap(([name, ops]) => Object.entries(ops).map(([op, to]) => `${name}${signOf(op)}${String(to)}`))
          .join(' ')
      : '';

const signOf = (op: string): string =>
  Object.entries(WORDS).find(([sign, word]) => word === op && sign !== '==')?.[0] ?? '=';

function literal(value: string): unknown {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** GPU types that a search allows, cheapest first. */
export function offersFor(search: string): OfferSearch {
  const query = parseSearch(search);
  const name = query['gpu_name']?.['eq'];
  const named = typeof name === 'string' ? (gpuByName(name.replaceAll('_', ' ')) ?? gpuByName(name)) : undefined;
  const numGpus = Number(query['num_gpus']?.['eq'] ?? 1);
  const ram = Number(query['gpu_ram']?.['gte'] ?? query['gpu_ram']?.['gt'] ?? 0);
  const pool = typeof name === 'string' ? (named ? [named] : []) : GPU_TYPES;
  const gpus = pool.filter(({ memoryGb }) => memoryGb >= ram).sort((a, b) => a.communityPrice - b.communityPrice);
  return { gpus, numGpus };
}
