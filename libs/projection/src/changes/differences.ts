/** One place at which two JSON values differ; undefined on the side that has nothing there. */
export interface Difference {
  /** `status`, `conditions.Available.status`, `targets[0].url`; empty for the whole value. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What differs between two JSON values, by path, in the order of the paths. Lists are compared place by place. */
export function differences(from: unknown, to: unknown, path = ''): Difference[] {
  if (Object.is(from, to)) return [];
  if (isContainer(from) && isContainer(to) && Array.isArray(from) === Array.isArray(to)) {
    const isList = Array.isArray(from);
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => differences(from[key], to[key], join(path, key, isList)));
  }
  return [{ path, from, to }];
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const join = (path: string, key: string, isList: boolean): string =>
  isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
