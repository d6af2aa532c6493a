import { SKY_CALLS } from '@davit/skypilot-agent';

const ANY = '\0';
/** Stands for any argument: for a word, and for a list without members. */
const ANYTHING = Object.assign([], { toString: () => ANY });

const SHAPES: readonly (readonly [string, readonly string[]])[] = Object.entries(SKY_CALLS).map(([name, call]) => {
  // Every call takes words and lists of words only, which the placeholder is both of.
  const args = call.args as (...given: readonly unknown[]) => readonly unknown[];
  return [name, args(...Array.from({ length: call.args.length }, () => ANYTHING)).map(String)];
});

/** Which of the adapter's calls this is; the words themselves when it is none of them. */
export function skyCallOf(args: readonly string[]): string {
  const found = SHAPES.find(
    ([, shape]) => shape.length === args.length && shape.every((word, index) => word === ANY || word === args[index]),
  );
  return found?.[0] ?? args.join(' ');
}
