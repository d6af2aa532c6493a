import { type ContractEvidence, type OutputObservation } from './observation.js';
import { parse } from './observe.js';

/**
 * Contract evidence without anybody's words, for keeping: each word becomes its number in order of first appearance, so that
 * texts are as similar, and by their padding about as long, as they were. What is judged and what is kept must be the same, so
 * it is done before judging. Doing it twice changes nothing.
 */
export function veiledContract(contract: ContractEvidence): ContractEvidence {
  const veil = veilOver(new Map());
  const veiled = (output: OutputObservation): OutputObservation => ({
    ...output,
    text: output.text === null ? null : veil(output.text),
  });
  return {
    policy: contract.policy,
    recorded: contract.recorded.map(veiled),
    observed: contract.observed.map(veiled),
  };
}

/** What `similarityOf` takes for a word. */
const WORD = /[\p{L}\p{N}]+/gu;
/** Neither white space nor the signs of ASCII, which tell nothing: replaced by a sign that separates words as well. */
const OTHER_SIGN = /[^\p{L}\p{N}\s!-/:-@[-`{-~]/gu;
/** Pads a number to the length of its word; no part of a word. */
const PADDING = '_';

function veilOver(numbers: Map<string, number>): (text: string) => string {
  const numberOf = (word: string): string => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return String(known);
  };
  const words = (text: string): string =>
    text.replace(OTHER_SIGN, '.').replace(WORD, (word) => numberOf(word.toLowerCase()).padEnd(word.length, PADDING));
  // Of a space of their own; the sign keeps them in their order, which names that are integers would lose.
  const field = (name: string): string => `$${numberOf(`$${name}`)}`;
  // What is JSON stays JSON, for its structure is judged: names of fields are numbered as well, and numbers stay numbers.
  const inside = (value: unknown): unknown => {
    if (typeof value === 'string') return words(value);
    if (typeof value === 'number') return Number(numberOf(String(value)));
    if (Array.isArray(value)) return value.map(inside);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [field(name), inside(inner)]));
  };
  return (text) => {
    const parsed = parse(text);
    return typeof parsed === 'object' && parsed !== null ? JSON.stringify(inside(parsed)) : words(text);
  };
}
