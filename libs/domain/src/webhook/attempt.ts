import type { EventData } from '@davit/contracts';

/** What one delivery came to. */
export type DeliveryOutcome =
  | { readonly kind: 'taken' }
  /** The receiver says that nothing is to be sent there any more. */
  | { readonly kind: 'gone'; readonly status: number }
  /** It answered, and did not take this event. */
  | { readonly kind: 'refused'; readonly status: number }
  /** It takes nothing now, whatever it is. */
  | { readonly kind: 'busy'; readonly status: number; readonly retryAfterMs: number | null }
  /** Nobody answered. */
  | { readonly kind: 'unreachable'; readonly why: string };

export interface DeliveryRules {
  /** An event that was answered so often without being taken is a dead letter. */
  readonly maxAttempts: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  /** A receiver that cannot be reached for so long is sent nothing more until somebody resumes it. */
  readonly giveUpAfterMs: number;
  /** So many dead letters in a row, and it is not the events that are wrong. */
  readonly maxDeadLettersInRow: number;
}

export const DELIVERY_RULES: DeliveryRules = {
  maxAttempts: 8,
  firstRetryMs: 1_000,
  maxRetryMs: 300_000,
  giveUpAfterMs: 24 * 3_600_000,
  maxDeadLettersInRow: 10,
};

/** How it went so far with the event that is to be delivered. */
export interface Attempts {
  /** This one included. */
  readonly sent: number;
  /** Of these, the answered ones. */
  readonly answered: number;
  /** Since when nothing was taken. */
  readonly failingForMs: number;
  readonly deadLettersInRow: number;
}

export type DeliveryDecision =
  | { readonly do: 'go-on' }
  | { readonly do: 'retry'; readonly afterMs: number }
  | { readonly do: 'dead-letter'; readonly status: number | null; readonly detail: string }
  | {
      readonly do: 'suspend';
      readonly reason: EventData<'davit.webhook.suspended'>['reason'];
      readonly detail: string;
    };

/**
 * What follows an attempt. An event that a receiver answers and does not take is given up alone, so that it does not hold up what
 * comes after it; a receiver that does not answer is waited for, since another event would fare no better.
 */
export function afterAttempt(outcome: DeliveryOutcome, so: Attempts, rules: DeliveryRules): DeliveryDecision {
  switch (outcome.kind) {
    case 'taken':
      return { do: 'go-on' };
    case 'gone':
      return { do: 'suspend', reason: 'gone', detail: `the receiver answered ${outcome.status}` };
    case 'refused': {
      if (so.answered < rules.maxAttempts) return { do: 'retry', afterMs: backoff(so.sent, rules) };
      const detail = `the receiver answered ${outcome.status} to the last of ${so.answered} attempts`;
      if (so.deadLettersInRow >= rules.maxDeadLettersInRow) return { do: 'suspend', reason: 'refusing', detail };
      return { do: 'dead-letter', status: outcome.status, detail };
    }
    case 'busy':
      return waitOrSuspend(so, rules, `the receiver answered ${outcome.status}`, outcome.retryAfterMs ?? 0);
    case 'unreachable':
      return waitOrSuspend(so, rules, outcome.why, 0);
  }
}

function waitOrSuspend(so: Attempts, rules: DeliveryRules, why: string, atLeastMs: number): DeliveryDecision {
  if (so.failingForMs >= rules.giveUpAfterMs) {
    const hours = Math.round(so.failingForMs / 3_600_000);
    return { do: 'suspend', reason: 'unreachable', detail: `nothing was taken for ${hours} h; at last: ${why}` };
  }
  return { do: 'retry', afterMs: Math.min(rules.maxRetryMs, Math.max(atLeastMs, backoff(so.sent, rules))) };
}

const backoff = (attempts: number, { firstRetryMs, maxRetryMs }: DeliveryRules): number =>
  Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 30));
