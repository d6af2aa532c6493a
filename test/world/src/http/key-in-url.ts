import { json, type WireRequest, type WireResponse } from './wire.js';

const KEY_PARAMETER = /^(api[-_]?key|key|token|access_token)$/i;
/** Shorter values are no keys, and would be found in any path. */
const SHORTEST_KEY = 8;

/** Whether a URL holds a key: in a parameter made for it, as a password, or by its value anywhere. */
export function hasKeyInUrl({ url }: WireRequest, keys: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return true;
  if ([...url.searchParams.keys()].some((name) => KEY_PARAMETER.test(name))) return true;
  const readable = [url.pathname, url.search, url.hash, decoded(url.pathname), ...url.searchParams.values()];
  return keys.some((key) => key.length >= SHORTEST_KEY && readable.some((part) => part.includes(key)));
}

/** Path and query with every key replaced. */
export function withoutKeys({ url }: WireRequest, keys: readonly string[]): string {
  const query = [...url.searchParams].map(
    ([name, value]) => `${name}=${KEY_PARAMETER.test(name) ? '[key]' : encodeURIComponent(value)}`,
  );
  const whole = decoded(url.pathname) === url.pathname ? url.pathname : decoded(url.pathname);
  let shown = keys.some((key) => key.length >= SHORTEST_KEY && whole.includes(key)) ? whole : url.pathname;
  if (query.length > 0) shown += `?${query.join('&')}`;
  for (const key of keys) if (key.length >= SHORTEST_KEY) shown = shown.replaceAll(key, '[key]');
  return shown;
}

export const isKeyParameter = (name: string): boolean => KEY_PARAMETER.test(name);

/** Providers would take it; this world does not, so that nobody gets used to it. */
export const keyInUrlRefusal = (): WireResponse =>
  json(400, { success: false, error: 'invalid_args', msg: 'a key must not stand in the URL' });

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
