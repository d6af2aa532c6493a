import type { RecordedEvent } from '@davit/contracts';

export interface EventFilter {
  /** Empty: all. */
  readonly categories: readonly string[];
  /** Part of the type, such as `became-`. */
  readonly type: string;
  /** `<tenant>/<name>`, or part of it. */
  readonly deployment: string;
  readonly text: string;
}

export const isEmpty = ({ categories, type, deployment, text }: EventFilter): boolean =>
  categories.length === 0 && type === '' && deployment === '' && text === '';

const texts = new WeakMap<RecordedEvent, string>();
/** Everything that an event says, as it is looked through; written once for each. */
function textOf(event: RecordedEvent): string {
  let text = texts.get(event);
  if (text === undefined) {
    text = `${event.type} ${event.subject} ${event.actor ?? ''} ${JSON.stringify(event.data)}`.toLowerCase();
    texts.set(event, text);
  }
  return text;
}

/** Events that a filter lets through, the latest first. */
export function filtered(events: readonly RecordedEvent[], filter: EventFilter): readonly RecordedEvent[] {
  const type = filter.type.trim().toLowerCase();
  const deployment = filter.deployment.trim().toLowerCase();
  const text = filter.text.trim().toLowerCase();
  const categories = new Set(filter.categories);
  return events
    .filter(
      (event) =>
        (categories.size === 0 || categories.has(event.type.split('.')[1] ?? '')) &&
        (type === '' || event.type.includes(type)) &&
        (deployment === '' || textOf(event).includes(deployment)) &&
        (text === '' || textOf(event).includes(text)),
    )
    .reverse();
}
