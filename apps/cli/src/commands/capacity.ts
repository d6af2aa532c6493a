import { historyLine, historySummary, offersTable } from '../output/capacity-views.js';
import type { Session } from '../session.js';

export interface OfferOptions {
  readonly cloud?: string;
  readonly accelerator?: string;
  readonly region?: string;
  readonly spot?: boolean;
}

export interface HistoryOptions extends OfferOptions {
  readonly from?: string;
  readonly to?: string;
  readonly after?: string;
  readonly limit: string;
}

/** Prints what the log says of offers, in the order of time, page by page up to the limit. */
export async function capacityHistory(session: Session, options: HistoryOptions): Promise<void> {
  const query = { ...offerQuery(options), ...present({ from: options.from, to: options.to }) };
  let left = Number(options.limit);
  let after = options.after;
  for (;;) {
    const page = await session.client.capacityHistory({
      ...query,
      limit: String(Math.min(Math.max(left, 1), 1_000)),
      ...present({ after }),
    });
    for (const item of page.items) session.print(item, () => historyLine(item));
    left -= page.items.length;
    after = page.next === null ? undefined : String(page.next);
    if (after === undefined || left <= 0) {
      session.print({ next: page.next, read: page.read, notes: page.notes }, () => historySummary(page));
      return;
    }
  }
}

export async function capacityOffers(session: Session, options: OfferOptions): Promise<void> {
  const answer = await session.client.offers(offerQuery(options));
  session.print(answer, () => offersTable(answer));
}

const offerQuery = ({ cloud, accelerator, region, spot }: OfferOptions): Record<string, string> =>
  present({ cloud, accelerator, region, spot: spot === true ? 'true' : undefined });

/** Without what was not given. */
const present = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
