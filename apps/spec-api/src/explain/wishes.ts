import { type RecordedEvent, stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { type Part, parts, readIntents, readPart } from './part-reader.js';

/** The part of the log that a replica lived in. */
export interface Span {
  /** Null for all revisions. */
  readonly revision: number | null;
  readonly from: number;
  readonly to: number;
}

/**
 * What the user wished, with the intents that said so: the declaration that a replica comes from, and what was wished while it lived.
 * What the budget said meanwhile belongs to it.
 */
export async function readWishes(
  log: Pick<EventLog, 'readStream'>,
  { tenant, deployment }: { readonly tenant: string; readonly deployment: string },
  span: Span,
): Promise<Part> {
  const [own, limits] = await Promise.all([
    readPart(log, stream.deployment(deployment)),
    readPart(log, stream.tenant(tenant)),
  ]);
  const events = [...ofSpan(own.events, span), ...ofSpan(limits.events, span)];
  return parts([{ ...parts([own, limits]), events }, await readIntents(log, events)]);
}

function ofSpan(events: readonly RecordedEvent[], { revision, from, to }: Span): RecordedEvent[] {
  const before = events.filter(({ position }) => position < from);
  const origin = before.findLast(
    (event) => event.type === 'davit.deployment.declared' && event.data.revision === revision,
  );
  // Limits and wishes that held when it began, however long before they were said.
  const latest = ['davit.deployment.declared', 'davit.tenant.budget-set'].map((type) =>
    before.findLast((event) => event.type === type),
  );
  const during = events.filter((event) => event.position >= from && event.position <= to && concerns(event));
  return [...new Set([origin, ...latest, ...during].filter((event) => event !== undefined))];
}

const concerns = (event: RecordedEvent): boolean =>
  event.type !== 'davit.deployment.condition-changed' || event.data.condition === 'WithinBudget';
