/** Longer text is compared by its beginning: it is no misspelling of a short name anyway. */
const COMPARED_CHARACTERS = 64;

/** Up to three known names that look most like `text`. */
export function nearNames(text: string, known: readonly string[]): readonly string[] {
  const wanted = text.slice(0, COMPARED_CHARACTERS).toLowerCase();
  return known
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 2)))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The one known name that `text` most likely means; undefined when none is close. */
export function nearestName(text: string, known: readonly string[]): string | undefined {
  const [nearest] = nearNames(text, known);
  if (nearest === undefined) return undefined;
  return editDistance(text.toLowerCase().slice(0, COMPARED_CHARACTERS), nearest.toLowerCase()) <= 3
    ? nearest
    : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
