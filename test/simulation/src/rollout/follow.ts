import type { EventData } from '@davit/contracts';
import { waitFor } from '../main-job.js';
import type { Simulation } from '../simulation.js';
import { SERVERLESS_KEY } from './manifest.js';
import { type RolloutEnd, doubledEndpoints, isEnd, leftAtVast, provenTemplate, servingTemplates } from './watch.js';

/** What is done on the way. */
export interface Reactions {
  readonly onTemplate: (templateHash: string) => void;
  /** Somebody is asked for a word. */
  readonly onQuestion: (question: EventData<'davit.rollout.approval-requested'>) => void;
}

export const servesFirst = (simulation: Simulation): Promise<void> =>
  waitFor(simulation, 'the endpoint serves', async () => {
    const state = await simulation.deployment(SERVERLESS_KEY);
    return state?.activeRevision === 1 && servingTemplates(simulation).length === 1;
  });

/**
 * Waits for the end of the rollout that began after a position, and holds production against it.
 * @throws Error for production that does not run what the log says that it was proven to run
 */
export async function followRollout(
  simulation: Simulation,
  what: string,
  from: number,
  { onTemplate, onQuestion }: Reactions,
): Promise<RolloutEnd | undefined> {
  let end: RolloutEnd | undefined;
  let read = from;
  await waitFor(simulation, `${what} comes to an end`, async () => {
    const doubled = doubledEndpoints(simulation);
    if (doubled.length > 0) throw new Error(`${doubled.join(', ')} is there twice`);
    const events = await simulation.log.read(read, 10_000);
    read += events.length;
    for (const event of events) {
      if (event.type === 'davit.rollout.template-recorded') onTemplate(event.data.template.templateHash);
      if (event.type === 'davit.rollout.approval-requested' && event.data.required) onQuestion(event.data);
      if (isEnd(event)) end = event;
    }
    return end !== undefined;
  });
  if (end) await shown(simulation, end);
  return end;
}

async function shown(simulation: Simulation, end: RolloutEnd): Promise<void> {
  const proven = provenTemplate(await simulation.events(), end);
  if (proven === undefined) return;
  const serving = servingTemplates(simulation);
  if (serving.some((hash) => hash !== proven))
    throw new Error(`after ${end.type} production runs ${serving.join(', ')}, not ${proven} alone`);
}

/** The deployment is deleted, Vast has nothing of it, and every service knows. */
export async function isAllGone(simulation: Simulation): Promise<void> {
  await waitFor(simulation, 'the endpoint is deleted', async () => {
    return (await simulation.deployment(SERVERLESS_KEY))?.status === 'deleted';
  });
  await waitFor(simulation, 'nothing is left at Vast', () => Promise.resolve(leftAtVast(simulation).length === 0));
  await waitFor(simulation, 'caught up', () => simulation.caughtUp());
}
