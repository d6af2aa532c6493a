import { type ExplainView, NAME_PATTERN, type StoryLine } from '@davit/contracts';
import type { ReadModel } from '@davit/projection';
import type { View } from '../asking/asking.js';
import { omissions } from './gaps.js';
import type { Part } from './part-reader.js';
import { storyOf } from './story.js';

/** Which part of a story is wanted: so many lines after a position. */
export interface StoryPage {
  readonly after: number;
  readonly limit: number;
}

/** What stories are told from. */
export type Told = Pick<View, 'log' | 'model' | 'nowMs'>;

/** What a story says beside its lines. */
export interface Telling {
  readonly about: ExplainView['about'];
  readonly now: string;
  readonly predecessors?: readonly string[];
  readonly past: Part;
  /** Steps of the way back to the user's intent that the log does not hold. */
  readonly broken: readonly string[];
  /** The lines, where they are other ones than what the events of the past say. */
  readonly lines?: readonly StoryLine[];
}

/** What was found of a thing's past, and what lacks on the way from there to the user's intent. */
export type Traced = Pick<Telling, 'past' | 'broken'>;

export async function answerOf(
  { model }: { readonly model: Pick<ReadModel, 'position'> },
  telling: Telling,
  page: StoryPage,
): Promise<ExplainView> {
  const { about, now, predecessors = [], past, broken, lines = storyOf(past.events) } = telling;
  return {
    about,
    now,
    predecessors: [...predecessors],
    ...gapsIn(past, broken),
    ...pageIn(lines, page),
    position: await model.position(),
  };
}

function pageIn(lines: readonly StoryLine[], { after, limit }: StoryPage): Pick<ExplainView, 'lines' | 'next'> {
  const rest = lines.filter(({ position }) => position > after);
  const shown = rest.slice(0, limit);
  return { lines: shown, next: rest.length > limit ? (shown.at(-1)?.position ?? null) : null };
}

/** Of what was not read to its end nobody can say that it holds no further step. */
const gapsIn = ({ events, cut, unread }: Part, broken: readonly string[]): Pick<ExplainView, 'complete' | 'gaps'> => ({
  complete: broken.length === 0 && unread.length === 0,
  gaps: [...broken, ...unread, ...cut, ...omissions(events)],
});

/** What is no name is not asked for: a database takes no NUL. */
export const isKey = (key: string): boolean => {
  const parts = key.split('/');
  return parts.length === 2 && parts.every((part) => NAME_PATTERN.test(part));
};
