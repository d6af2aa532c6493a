import type { ExplainView } from '@davit/contracts';
import { CommandError, exitCodes } from '../exit-codes.js';
import { storyText } from '../output/story.js';
import type { Session } from '../session.js';

export interface ExplainOptions {
  readonly tenant: string;
  readonly after?: string;
}

/** What is asked for by one name. */
export const STORIES = ['replica', 'deployment', 'route', 'wait', 'cost', 'rollout', 'verdict', 'orphan'] as const;
export type Named = (typeof STORIES)[number];

/** Tells how it came to what is now, from the intent of the user on. */
export function explain(session: Session, kind: Named, name: string, options: ExplainOptions): Promise<void> {
  const own = kind === 'orphan' ? encodeURIComponent(name) : wholeName(name, options).map(encodeURIComponent).join('/');
  return tell(session, `${kind}s/${own}`, {}, options);
}

export const explainAlarm = (session: Session, alarm: string, about: string, options: ExplainOptions): Promise<void> =>
  tell(session, 'alarms', { alarm, about }, options);

export function explainBudget(session: Session, name: string | undefined, options: ExplainOptions): Promise<void> {
  if (name === undefined) return tell(session, `budgets/${encodeURIComponent(options.tenant)}`, {}, options);
  const [tenant, deployment] = wholeName(name, options);
  return tell(session, `budgets/${encodeURIComponent(tenant)}`, { deployment }, options);
}

/** Page after page. */
async function tell(
  session: Session,
  path: string,
  query: Readonly<Record<string, string>>,
  options: ExplainOptions,
): Promise<void> {
  const lines: ExplainView['lines'] = [];
  let after = positionOf(options.after ?? '0');
  for (;;) {
    const { next, ...page } = await session.client.explain(path, query, after);
    lines.push(...page.lines);
    if (next === null) {
      const story = { ...page, lines };
      session.print(story, () => storyText(story));
      return;
    }
    after = next;
  }
}

function wholeName(name: string, { tenant }: ExplainOptions): readonly [tenant: string, name: string] {
  const at = name.indexOf('/');
  return at < 0 ? [tenant, name] : [name.slice(0, at), name.slice(at + 1)];
}

function positionOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandError(exitCodes.badInput, `error  --after "${text}" is not a position; write 0 or more.`);
}
