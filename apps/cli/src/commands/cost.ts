import type { CostGroup } from '@davit/contracts';
import { costText } from '../output/cost-views.js';
import type { Session } from '../session.js';

/** The most that the server tells. */
const ALL_CITED = '10000';

export interface CostOptions {
  readonly tenant?: string;
  /** Days in UTC, inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly today?: boolean;
  readonly by: CostGroup;
}

/** What was spent, from what the log says of prices and machines at the time. */
export async function cost(session: Session, deployment: string | undefined, options: CostOptions): Promise<void> {
  const { today, ...asked } = options;
  const days = today === true ? await dayOf(session) : {};
  // For machines every event is told; for people the first few of them are.
  const view = await session.client.cost({
    ...{ ...asked, ...days },
    ...(deployment === undefined ? {} : { deployment }),
    ...(session.json ? { cited: ALL_CITED } : {}),
  });
  session.print(view, () => costText(view));
}

async function dayOf(session: Session): Promise<Required<Pick<CostOptions, 'from' | 'to'>>> {
  const day = new Date(await session.momentMs()).toISOString().slice(0, 10);
  return { from: day, to: day };
}
