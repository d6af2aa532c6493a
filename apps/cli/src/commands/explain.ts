import type { ExplainView } from '@davit/contracts';
import { CommandError, exitCodes } from '../exit-codes.js';
import { storyText } from '../output/story.js';
import type { Session } from '../session.js';

export interface ExplainOptions {
  readonly tenant: string;
  readonly after?: string;
}

type Kind = 'replica' | 'deployment';

/** Tells how it came to what is now, from the intent of the user on, page after page. */
export async function explain(session: Session, kind: Kind, name: string, options: ExplainOptions): Promise<void> {
  const [tenant, own] = name.includes('/') ? split(name) : [options.tenant, name];
  const lines: ExplainView['lines'] = [];
  let after = positionOf(options.after ?? '0');
  for (;;) {
    const { next, ...page } = await session.client.explain(kind, tenant, own, after);
    lines.push(...page.lines);
    if (next === null) {
      const story = { ...page, lines };
      session.print(story, () => storyText(story));
      return;
    }
    after = next;
  }
}

const split = (name: string): readonly [string, string] => {
  const at = name.indexOf('/');
  return [name.slice(0, at), name.slice(at + 1)];
};

function positionOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandError(exitCodes.badInput, `error  --after "${text}" is not a position; write 0 or more.`);
}
