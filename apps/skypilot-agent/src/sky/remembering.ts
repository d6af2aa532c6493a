/** Listings of the fleet, and of the names that are being looked for. */
const TEXTS_KEPT = 32;

/** The same reader, which reads none of the last texts twice: from look to look a fleet mostly stays as it was. */
export function remembering<Value extends object>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? read(text);
    known.delete(text);
    known.set(text, value);
    if (known.size > TEXTS_KEPT) {
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    }
    return value;
  };
}
