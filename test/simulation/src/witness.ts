import { canonicalJson, digestOf, lifecycleProjection } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import { type Random, jitter } from '@davit/ports';
import { Moments, type ReadModel } from '@davit/projection';
import { pick } from './outside-faults.js';
import type { Simulation } from './simulation.js';

interface Seen {
  readonly service: string;
  readonly position: number;
  readonly digest: string;
}

/** Mean pause between two looks, once there have been `SOON` of them; the first ones are closer, for lives that are short. */
const LOOK_EVERY_MS = 45_000;
const SOON = 5;
const MOST_LOOKS = 40;

/** Looks at the live documents of some service now and then, so that what time travel tells of these moments can be held against it. */
export class Witness {
  private readonly seen: Seen[] = [];

  constructor(
    private readonly simulation: Simulation,
    private readonly random: Random,
  ) {
    this.lookLater();
  }

  /** Moments that were looked at. */
  get moments(): number {
    return this.seen.length;
  }

  /** What was seen and is not what the fold up to its position says; asked for in an order of its own. */
  async contradictions(log: EventLog): Promise<readonly string[]> {
    const moments = new Moments({ definition: lifecycleProjection, log, milestones: 4, recent: 4 });
    const found: string[] = [];
    for (const { service, position, digest } of shuffled(this.seen, this.random))
      if ((await digestAll(await moments.at(position))) !== digest)
        found.push(`the documents of ${service} at ${position} were not what the fold up to there says`);
    return found;
  }

  private lookLater(): void {
    if (this.seen.length >= MOST_LOOKS) return;
    const pauseMs = LOOK_EVERY_MS * Math.min(1, (this.seen.length + 1) / SOON);
    this.simulation.clock.schedule(jitter(this.random, pauseMs, 0.9), () => void this.look());
  }

  private async look(): Promise<void> {
    const { name, stores } = pick(this.random, this.simulation.services);
    const store = stores.store(lifecycleProjection);
    const position = await store.position();
    const digest = await digestAll(store);
    // Tables that moved meanwhile were not seen at one moment.
    if (position > 0 && (await store.position()) === position) this.seen.push({ service: name, position, digest });
    this.lookLater();
  }
}

async function digestAll(model: Pick<ReadModel, 'scan'>): Promise<string> {
  const rows = await model.scan(undefined, Number.MAX_SAFE_INTEGER);
  return digestOf(
    rows.map(({ kind, key, position, groups, document }) => [kind, key, position, [...groups], textOf(document)]),
  );
}

/** Services that folded the same log mostly hold the very same frozen documents. */
const texts = new WeakMap<object, string>();

function textOf(document: object): string {
  const known = texts.get(document);
  if (known !== undefined) return known;
  const text = canonicalJson(document);
  texts.set(document, text);
  return text;
}

const shuffled = <Value>(values: readonly Value[], random: Random): readonly Value[] =>
  values
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
