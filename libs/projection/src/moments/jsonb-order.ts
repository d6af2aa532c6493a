/** Objects that are in order to the bottom. */
const known = new WeakSet<object>();

/**
 * The value with the members of its objects in the order in which PostgreSQL's jsonb gives them back, by length and then by bytes,
 * so that what is told of a document is the same text wherever the document was kept. What is in order is returned itself.
 * Source: https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/jsonb_util.c (lengthCompareJsonbStringValue)
 */
export function inJsonbOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || known.has(value)) return value;
  const ordered = Array.isArray(value) ? orderedItems(value) : orderedMembers(value);
  known.add(ordered);
  return ordered;
}

function orderedItems(items: readonly unknown[]): object {
  const ordered = items.map(inJsonbOrder);
  return ordered.every((item, index) => item === items[index]) ? items : ordered;
}

function orderedMembers(object: object): object {
  const members = Object.entries(object).map(([name, member]) => [name, inJsonbOrder(member), member] as const);
  const sorted = members.toSorted(([left], [right]) => compareNames(left, right));
  const isSame = sorted.every((one, index) => one === members[index] && one[1] === one[2]);
  return isSame ? object : Object.fromEntries<unknown>(sorted.map(([name, member]) => [name, member]));
}

function compareNames(left: string, right: string): number {
  return Buffer.byteLength(left) - Buffer.byteLength(right) || Buffer.compare(Buffer.from(left), Buffer.from(right));
}
