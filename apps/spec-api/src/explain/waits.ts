import { type StoryLine, counted } from '@davit/contracts';

/** What lies between two looks of one wait. */
const BETWEEN: readonly StoryLine['topic'][] = ['discovery', 'advice'];
const RETRY = /; looks again at [^;]+$/;
const reasonOf = ({ text }: StoryLine): string => text.replace(RETRY, '');

/**
 * A wait that was looked at again and again for the same reason is told once, with how often and until when: a day without stock is
 * one line, not a thousand. Lines of other replicas may lie in between.
 */
export function foldWaits(lines: readonly StoryLine[]): StoryLine[] {
  const open = new Map<string, Wait>();
  const dropped = new Set<StoryLine>();
  const folded = new Map<StoryLine, StoryLine>();
  for (const line of lines) {
    if (line.replica === null) continue;
    const wait = open.get(line.replica);
    if (line.topic === 'wait') {
      if (wait && reasonOf(wait.first) === reasonOf(line)) {
        for (const one of [...wait.between, line]) dropped.add(one);
        open.set(line.replica, { first: wait.first, between: [], times: wait.times + 1 });
        folded.set(wait.first, { ...wait.first, text: again(line, wait.times + 1) });
      } else open.set(line.replica, { first: line, between: [], times: 0 });
    } else if (BETWEEN.includes(line.topic)) wait?.between.push(line);
    else open.delete(line.replica);
  }
  return lines.filter((line) => !dropped.has(line)).map((line) => folded.get(line) ?? line);
}

type Wait = { readonly first: StoryLine; readonly between: StoryLine[]; readonly times: number };

const again = (last: StoryLine, times: number): string =>
  `${reasonOf(last)}; looked again ${counted(times, 'time')}, to the same end, the last at position ${last.position} (${last.at})${RETRY.exec(last.text)?.[0] ?? ''}`;
