import type { EventData } from '@davit/contracts';
import type { Refused } from '@davit/domain';
import type { StreamWrite } from '@davit/event-log';

/** What an intent leads to, decided on what the log holds at this moment. */
export type Verdict = Accepted | Refused;

interface Accepted {
  readonly outcome: 'accepted';
  /** What its acceptance says beside the intent itself. */
  readonly facts: Omit<EventData<'davit.intent.accepted'>, 'intentId'>;
  /** What it changes; empty when it already is so. */
  readonly writes: readonly StreamWrite[];
  readonly basedOnPosition: number | undefined;
}

/** Looks at the log and decides; called anew when others wrote meanwhile. */
export type Judge = (intentId: string) => Promise<Verdict>;
