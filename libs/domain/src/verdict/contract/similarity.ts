/** Words in lower case, without punctuation. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Pairs of neighbouring words with how often each occurs; a text of one word is that word. */
function pairsOf(text: string): ReadonlyMap<string, number> {
  const words = wordsOf(text);
  const pairs = words.length < 2 ? words : words.slice(1).map((word, index) => `${words[index] ?? ''} ${word}`);
  const counts = new Map<string, number>();
  for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return counts;
}

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/**
 * The Sørensen–Dice coefficient of two texts over pairs of neighbouring words, each counted as often as it occurs: twice what
 * both have, by what there is in all. 1: the same pairs; 0: none in common. Two texts without words are the same.
 */
export function similarityOf(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  const all = total(left) + total(right);
  if (all === 0) return 1;
  const common = [...left].reduce((sum, [pair, count]) => sum + Math.min(count, right.get(pair) ?? 0), 0);
  return (2 * common) / all;
}

/** The middle value; of an even number the lower of the two. Undefined of none. */
export const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length / 2) - 1];
