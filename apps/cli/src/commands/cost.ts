import type { CostGroup } from '@davit/contracts';
import { costText } from '../output/cost-views.js';
import type { Session } from '../session.js';

/** The most that the server tells. */
const ALL_CITED = '10000';

export interface CostOptions {
  readonly deployment?: string;
  readonly tenant?: string;
  /** Days in UTC, inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly by: CostGroup;
}

/** What was spent, from what the log says of prices and machines at the time. */
export async function cost(session: Session, options: CostOptions): Promise<void> {
  // For machines every event is told; for people the first few of them are.
  const view = await session.client.cost({ ...options, ...(session.json ? { cited: ALL_CITED } : {}) });
  session.print(view, () => costText(view));
}
