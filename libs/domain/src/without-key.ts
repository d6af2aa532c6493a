/** The same record without one of its keys; itself where it has no such key. */
export const withoutKey = <Value>(
  values: Readonly<Record<string, Value>>,
  key: string,
): Readonly<Record<string, Value>> =>
  key in values ? Object.fromEntries(Object.entries(values).filter(([name]) => name !== key)) : values;
