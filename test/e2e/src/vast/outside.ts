import type { WorldClient } from '../world-client.js';
import type { VastTruth } from './truth.js';

/** Hashes of the templates that workers really run, each once. */
export const templatesOf = ({ workers }: VastTruth): readonly string[] =>
  [...new Set(workers.map(({ template }) => template.hash))].toSorted();

/** Everything that still bills or has lost its owner. */
export async function leftAtTheOutside(world: WorldClient): Promise<number> {
  const [running, truth] = await Promise.all([world.running(), world.vastTruth()]);
  return Math.max(running.length, truth.workers.length, truth.leaked);
}
