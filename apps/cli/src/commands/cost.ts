import type { CostGroup } from '@davit/contracts';
import { costText } from '../output/cost-views.js';
import type { Session } from '../session.js';

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
  const view = await session.client.cost({ ...options });
  session.print(view, () => costText(view));
}
