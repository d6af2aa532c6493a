import { lifecycleProjection } from '@davit/domain';
import { LOCAL_PRINCIPAL, Views, replaySpan } from '@davit/spec-api';
import type { Simulation } from './simulation.js';

/** Choices of a place that may rest on documents that were read while they changed, of a hundred. */
const MOST_NOT_JUDGED = 10;

/**
 * law-15: a decision carries its evidence. All that was decided in a run, taken again from the log under the policy that held, is
 * decided as it was; and the log tells nearly all of it.
 */
export async function replayedOtherwise(simulation: Simulation): Promise<readonly string[]> {
  const { log, clock } = simulation;
  const head = await log.head();
  if (head < 2) return [];
  const model = simulation.service('orchestrator').stores.store(lifecycleProjection);
  const asking = new Views({ log, model, clock }).asking(LOCAL_PRINCIPAL);
  const [from, to] = [await asking.at('1', 'from'), await asking.at(String(head), 'to')];
  const view = await replaySpan(from, to, simulation.evidence, { policy: {}, deployment: null });
  const { compared, differences, notJudged } = view;
  const allowed = Math.max(1, ((compared + notJudged.length) * MOST_NOT_JUDGED) / 100);
  return [
    ...differences.map(
      ({ position, was, would }) =>
        `law-15: at ${position} it was "${was.outcome}", and taken again "${would.outcome}"`,
    ),
    ...(notJudged.length > allowed
      ? [
          `law-15: ${notJudged.length} decisions beside ${compared} cannot be taken again: ${notJudged[0]?.reason ?? ''}`,
        ]
      : []),
  ];
}
