import { storableJson } from '../canonical-json.js';

/** What jsonb refuses; see `storableJson`. */
const NOT_STORABLE = /[\0\p{Surrogate}]/u;

/** Objects that are storable as they are, frozen to the bottom. */
const known = new WeakSet<object>();

/**
 * The value as it comes back from a store that keeps JSON, frozen, since readers share it. What is storable as it stands is
 * returned itself, so that states that share most of their parts, as those of a fold do, cost only what is new in them.
 */
export function storable(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return NOT_STORABLE.test(value) ? roundTrip(value) : value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : null; // JSON has no -0
    case 'object':
      return value === null ? null : storableObject(value);
    case 'boolean':
      return value;
    default:
      return roundTrip(value);
  }
}

function storableObject(value: object): unknown {
  if (known.has(value)) return value;
  if (Array.isArray(value)) return kept(value, value.map(storableItem));
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return roundTrip(value);
  const copy: Record<string, unknown> = {};
  let same = true;
  for (const [name, member] of Object.entries(value)) {
    if (NOT_STORABLE.test(name) || name === '__proto__') return roundTrip(value);
    if (isLeftOut(member)) {
      same = false;
      continue;
    }
    const stored = storable(member);
    same &&= Object.is(stored, member);
    copy[name] = stored;
  }
  return frozen(same ? value : copy);
}

const storableItem = (member: unknown): unknown => (isLeftOut(member) ? null : storable(member));

const isLeftOut = (member: unknown): boolean =>
  member === undefined || typeof member === 'function' || typeof member === 'symbol';

const kept = (before: readonly unknown[], after: readonly unknown[]): unknown =>
  frozen(after.every((member, index) => Object.is(member, before[index])) ? before : after);

function frozen<Value extends object>(value: Value): Value {
  known.add(value);
  return Object.freeze(value);
}

/** The rare value that is no JSON: dates, instances, hostile text. */
function roundTrip(value: unknown): unknown {
  const stored: unknown = JSON.parse(storableJson(value));
  return typeof stored === 'object' ? deepFrozen(stored) : stored;
}

function deepFrozen(value: object | null): unknown {
  if (value === null) return null;
  for (const member of Object.values(value) as unknown[]) if (typeof member === 'object') deepFrozen(member);
  return frozen(value);
}
