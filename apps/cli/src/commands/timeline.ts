import { CommandError, exitCodes } from '../exit-codes.js';
import { instantOf } from '../instants.js';
import { type Life, type TimelineEvent, livesOf, timelineText } from '../output/timeline.js';
import type { Session } from '../session.js';

export interface TimelineOptions {
  readonly tenant: string;
  readonly from?: string;
}

const PAGE = 1_000;
const TYPICAL_WIDTH = 100;

/** Draws the lives of the replicas of a deployment, one line each, as the log tells them. */
export async function timeline(session: Session, name: string, { tenant, from }: TimelineOptions): Promise<void> {
  const deployment = name.includes('/') ? name : `${tenant}/${name}`;
  const events: TimelineEvent[] = [];
  for (let after = 0; ;) {
    const { items, next, head } = await session.client.exportPage({ after, limit: PAGE, deployment });
    events.push(...items);
    if (next <= after || next >= head) break;
    after = next;
  }
  if (events.length === 0) await mustBeKnown(session, deployment);
  const nowMs = await session.momentMs();
  const fromMs = from === undefined ? undefined : fromTime(instantOf(from, nowMs), events);
  const lives: readonly Life[] = livesOf(events, nowMs);
  session.print(lives, () =>
    timelineText(deployment, lives, { nowMs, fromMs, width: session.out.columns || TYPICAL_WIDTH }),
  );
}

/** Of a name that nobody gave there is no line of time, not even an empty one. */
async function mustBeKnown(session: Session, deployment: string): Promise<void> {
  const [owner = '', ...name] = deployment.split('/');
  if (await session.client.deployment(owner, name.join('/'))) return;
  const text = `error  there is no deployment "${deployment}".\n       Write one that \`davit get deployments --all\` shows.`;
  throw new CommandError(exitCodes.refused, text);
}

/** A position stands for the time of the first event from there on. */
function fromTime(instant: string, events: readonly TimelineEvent[]): number | undefined {
  if (!/^\d+$/.test(instant)) return Date.parse(instant);
  const first = events.find(({ position }) => position >= Number(instant));
  return first && Date.parse(first.time);
}
