import type { RecordedEvent } from '@davit/contracts';

/** A place in a log where one of the laws does not hold. */
export type Violation = {
  readonly law: string;
  readonly position: number;
  readonly about: string;
  readonly message: string;
};

/** A law as a check over a whole log, in log order. `ended` is true when nothing may be left half done. */
export type Law = {
  readonly name: string;
  readonly check: (events: readonly RecordedEvent[], ended: boolean) => readonly Violation[];
};

/** Collects violations of one law. */
export function violations(law: string): {
  readonly found: Violation[];
  readonly add: (event: RecordedEvent, about: string, message: string) => void;
} {
  const found: Violation[] = [];
  return { found, add: (event, about, message) => void found.push({ law, position: event.position, about, message }) };
}

/** `davit.resource.launch-attempted` and `davit.endpoint.launch-attempted` → `launch-attempted`; undefined for other categories. */
export function providerFact(event: RecordedEvent): string | undefined {
  return /^davit\.(?:resource|endpoint)\.(.+)$/.exec(event.type)?.[1];
}

/** External key of a provider fact. */
export const keyOf = (event: RecordedEvent): string => event.stream.slice(event.stream.indexOf('/') + 1);
