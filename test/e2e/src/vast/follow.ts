import type { DavitClient } from '@davit/cli';
import { type RecordedEvent, parseRecordedEvent } from '@davit/contracts';
import { waitFor } from '../wait-for.js';
import { narrate } from './narrate.js';

export type RolloutOutcome = 'accepted' | 'rejected' | 'rolled-back' | 'refused';

/** What is done when a rollout has come to a step; it is waited for before the next step is looked at. */
export type Reaction = (event: RecordedEvent) => Promise<void>;

export interface FollowParts {
  readonly client: DavitClient;
  readonly tell: (step: string) => void;
  readonly patienceMs: number;
}

/** A rollout that is over, with its own events in order. */
export interface Followed {
  readonly rolloutId: string;
  readonly outcome: RolloutOutcome;
  readonly events: readonly RecordedEvent[];
}

const PAGE = 500;
const END = /^davit\.rollout\.(accepted|rejected|rolled-back|refused)$/;

/** Tells the steps of the rollout of one revision as they are written, until it is over. */
export async function followRollout(
  { client, tell, patienceMs }: FollowParts,
  { deployment, revision, after }: { readonly deployment: string; readonly revision: number; readonly after: number },
  react: Reaction,
): Promise<Followed> {
  const events: RecordedEvent[] = [];
  let position = after;
  const look = async (): Promise<Followed | undefined> => {
    const page = (await client.events(position, PAGE)).map((event) => parseRecordedEvent(event));
    position = page.at(-1)?.position ?? position;
    for (const event of page.filter((one) => isOf(one, `${deployment}-${revision}-`))) {
      events.push(event);
      const line = narrate(event);
      if (line !== undefined) tell(line);
      await react(event);
    }
    return ended(events);
  };
  return waitFor(`the rollout of revision ${revision} is over`, look, { timeoutMs: patienceMs, everyMs: 200 });
}

function ended(events: readonly RecordedEvent[]): Followed | undefined {
  const last = events.find(({ type }) => END.test(type));
  const outcome = last && (END.exec(last.type)?.[1] as RolloutOutcome); // one of the four that the pattern names
  const rolloutId = last && rolloutIdOf(last);
  return outcome === undefined || rolloutId === undefined ? undefined : { rolloutId, outcome, events };
}

const isOf = (event: RecordedEvent, prefix: string): boolean =>
  event.type.startsWith('davit.rollout.') && (rolloutIdOf(event)?.startsWith(prefix) ?? false);

const rolloutIdOf = ({ data }: RecordedEvent): string | undefined =>
  'rolloutId' in data && typeof data.rolloutId === 'string' ? data.rolloutId : undefined;
