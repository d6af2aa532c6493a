import { type IntentView, type ParamsOf, type QueryOf, operations, stream } from '@davit/contracts';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking, ViewedLog } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { found } from './existing.js';
import { intentsIn } from '../views/intent-view.js';
import { type Listing, isAsked, isOneOf } from './listing.js';

type Query = QueryOf<typeof operations.listIntents>;

const WINDOW = 1_000;
/** Windows of the log looked through for one page when what is asked for is rare; the answer says where to go on. */
const MAX_WINDOWS = 20;

/** What was asked for, by whom, and what was answered: read from the log itself. */
@Controller()
export class IntentHistoryController {
  /** The newest first. */
  @Serves(operations.listIntents)
  async intents(@Asked() asking: Asking, @ReadQuery() query: Query): Promise<Listing<IntentView>> {
    const { log, position } = await asking.view();
    const before = query.after === undefined ? position + 1 : Number(query.after);
    const { items, next } = await pageBefore(log, Math.min(before, position + 1), query);
    return { position, items, next: next === null ? null : String(next) };
  }

  @Serves(operations.getIntent)
  async intent(
    @Asked() asking: Asking,
    @ReadParams() { id }: ParamsOf<typeof operations.getIntent>,
  ): Promise<IntentView> {
    const { log } = await asking.view();
    const [one] = intentsIn(await log.readStream(stream.intent(id)));
    return found(one, 'intent', id);
  }
}

/** Looks back through the log, window by window, until the page is full or enough was looked through. */
async function pageBefore(
  log: Pick<ViewedLog, 'read'>,
  before: number,
  query: Query,
): Promise<{ readonly items: readonly IntentView[]; readonly next: number | null }> {
  const items: IntentView[] = [];
  let end = before;
  for (let windows = 0; windows < MAX_WINDOWS && end > 1 && items.length < query.limit; windows++) {
    const start = Math.max(1, end - WINDOW);
    // An intent is received and answered at neighbouring positions: one more, so that none is cut in two.
    const read = await log.read(Math.max(0, start - 2), end - start + 1);
    const inside = read.filter(({ position }) => position < end);
    const found = intentsIn(inside).filter(({ position }) => position >= start);
    const wanted = found.filter((view) => isWanted(view, query)).toReversed();
    for (const view of wanted.slice(0, query.limit - items.length)) items.push(view);
    const last = items.at(-1);
    if (items.length >= query.limit && last) return { items, next: last.position };
    end = start;
  }
  return { items, next: end > 1 ? end : null };
}

function isWanted(view: IntentView, { tenant, deployment, outcome, verb, actor }: Query): boolean {
  return (
    isAsked(tenant, view.tenant) &&
    isAsked(deployment, view.deployment) &&
    isAsked(outcome, view.outcome) &&
    isOneOf<string>(verb, view.verb) &&
    isAsked(actor, view.actor)
  );
}
