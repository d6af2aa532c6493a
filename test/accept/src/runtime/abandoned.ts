import { eventually } from '@davit/test-support';
import type { EngineReading } from '@davit/runtime-prober';
import type { Completion, ModelClient } from './client.js';
import { MODEL } from './model.js';
import { grown, readingOf } from './readings.js';
import type { Report } from './report.js';

/** On a machine that is busy with other things. */
const LONGEST_MS = 60_000;
/** Who goes away may be noticed only when the answer is whole, on a machine that is busy: then another one goes. */
const LEAVERS = 10;

/** A caller that goes away. */
export async function abandonOne(client: ModelClient, report: Report): Promise<void> {
  const promptTokens = 9;
  const completion = { promptTokens, generate: MODEL.contextLength - promptTokens };
  let [before, after] = await abandoned(client, completion);
  for (let leavers = 1; leavers < LEAVERS && endedAtLength(before, after) === 1; leavers++)
    [before, after] = await abandoned(client, completion);
  const generated = grown(before, after, ({ generationTokens }) => generationTokens);
  report.hold(
    'an abandoned request is gone: nothing runs',
    generated < completion.generate,
    `after ${generated} of ${completion.generate} tokens`,
  );
  report.compare(
    'its tokens',
    grown(before, after, (reading) => reading.promptTokens),
    promptTokens,
  );
  report.compare(
    'it counts as ended',
    grown(before, after, ({ finishedTotal }) => finishedTotal),
    0,
  );
}

/** What is read before a request that is abandoned once it is taken, and when nothing of it runs any more. */
async function abandoned(
  client: ModelClient,
  completion: Completion,
): Promise<readonly [EngineReading, EngineReading]> {
  const before = readingOf(await client.metrics());
  const whenTaken = (isSo: (present: EngineReading) => boolean): Promise<EngineReading> =>
    eventually(
      async () => {
        const present = readingOf(await client.metrics());
        const isTaken = grown(before, present, ({ promptTokens }) => promptTokens) === completion.promptTokens;
        return isTaken && isSo(present) && present;
      },
      { timeoutMs: LONGEST_MS },
    );
  await client.abandon(completion, () => whenTaken(() => true));
  return [before, await whenTaken(({ running, waiting }) => running === 0 && waiting === 0)];
}

const endedAtLength = (before: EngineReading, after: EngineReading): number =>
  grown(before, after, ({ finished }) => finished?.['length']);
