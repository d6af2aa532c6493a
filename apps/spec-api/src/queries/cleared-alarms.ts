import type { ClearedAlarm } from '@davit/contracts';
import type { ViewedLog } from '../asking/asking.js';
import { badRequest } from '../operations/bad-request.js';

const PAGE = 1_000;
/** Who follows alarms asks for what is new every few seconds. */
const MAX_PAGES = 20;

/**
 * Alarms that were cleared after a position, each once: what is cleared is no document any more, and stands in the log alone.
 * @throws ProblemError 400 where so much was written since that a new list is the better question
 */
export async function clearedSince(log: Pick<ViewedLog, 'read'>, position: number): Promise<readonly ClearedAlarm[]> {
  const cleared = new Map<string, ClearedAlarm>();
  let after = position;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await log.read(after, PAGE);
    for (const { type, data, tenant, time, position: at } of page) {
      if (type !== 'davit.fleet.alarm-cleared') continue;
      const { alarm, about } = data;
      cleared.set(`${alarm} ${about}`, { alarm, about, tenant, at: time, position: at });
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return [...cleared.values()];
    after = last.position;
  }
  const message = `${position} lies more than ${PAGE * MAX_PAGES} events back`;
  throw badRequest([{ path: '?changedAfter', message, remedy: 'Ask for the list without it, and follow from there.' }]);
}
