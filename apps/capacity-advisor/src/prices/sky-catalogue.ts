import { type Clock, type Logger, isoTime } from '@davit/ports';
import path from 'node:path';
import type { CatalogueReader } from './catalogue.js';
import { csvRows } from './csv.js';
import { type PriceFiles, wordsOf } from './files.js';
import { type CatalogueIndex, CatalogueIndexer, listingOf } from './sky-index.js';
import { CatalogueError, type RowReading, rowReading } from './sky-rows.js';

export type SkyCatalogueOptions = {
  /** Holds `<cloud>/vms.csv`. */
  readonly directory: string;
  /** A file that did not change is read anew after this long, so that its prices are as recent as they can be. */
  readonly rereadMs: number;
};

type Parts = { readonly files: PriceFiles; readonly clock: Clock; readonly logger: Logger };

type Read = {
  readonly index: CatalogueIndex;
  readonly readAt: string;
  readonly readAtMs: number;
  readonly stamp: string;
};
type Loaded = { readonly last: Read | undefined; readonly problem: string | undefined };

/** Between two looks at whether a file changed. */
const LOOK_MS = 5_000;
const CLOUD = /^[a-z][a-z0-9-]{0,40}$/;

/**
 * SkyPilot's list prices as its client keeps them on disk. One reading at a time for each cloud; a file that has become
 * unreadable leaves the last good reading in place, with the age it has.
 */
export function skyCatalogue(parts: Parts, options: SkyCatalogueOptions): CatalogueReader {
  const clouds = new Map<string, { readonly loaded: Promise<Loaded>; lookAgainMs: number }>();

  const loadedOf = (cloud: string): Promise<Loaded> => {
    const known = clouds.get(cloud);
    const nowMs = parts.clock.monotonicMs();
    if (known && nowMs < known.lookAgainMs) return known.loaded;
    const entry = {
      loaded: (known?.loaded ?? Promise.resolve(NOTHING)).then((before) => look(cloud, before, parts, options)),
      lookAgainMs: Number.POSITIVE_INFINITY,
    };
    clouds.set(cloud, entry);
    return entry.loaded.finally(() => {
      entry.lookAgainMs = parts.clock.monotonicMs() + LOOK_MS;
    });
  };

  return {
    async lookUp(placement) {
      const { cloud } = placement;
      if (!CLOUD.test(cloud)) return { outcome: 'no-catalogue', detail: `"${cloud}" is no name of a cloud` };
      const { last, problem } = await loadedOf(cloud);
      if (!last) return { outcome: 'no-catalogue', detail: problem ?? 'it was not read' };
      const { index, readAt } = last;
      const listing = listingOf(index, placement);
      return listing ? { outcome: 'listed', listing, readAt } : { outcome: 'not-listed', readAt };
    },
  };
}

const NOTHING: Loaded = { last: undefined, problem: undefined };

async function look(
  cloud: string,
  { last, problem: before }: Loaded,
  { files, clock, logger }: Parts,
  { directory, rereadMs }: SkyCatalogueOptions,
): Promise<Loaded> {
  const file = path.join(directory, cloud, 'vms.csv');
  try {
    const stamp = await files.stamp(file);
    if (stamp === undefined) return { last, problem: `there is no ${file}; \`sky gpus list\` makes one` };
    const nowMs = clock.nowMs();
    if (last?.stamp === stamp && nowMs - last.readAtMs < rereadMs) return { last, problem: undefined };
    const index = await readIndex(cloud, files.chunks(file));
    return { last: { index, readAt: isoTime(nowMs), readAtMs: nowMs, stamp }, problem: undefined };
  } catch (error) {
    const problem = `${file} cannot be read: ${wordsOf(error)}`;
    if (problem !== before)
      logger.warn({ file, kept: last?.readAt ?? null, err: error }, 'a catalogue of prices cannot be read');
    return { last, problem };
  }
}

async function readIndex(cloud: string, chunks: AsyncIterable<string>): Promise<CatalogueIndex> {
  const indexer = new CatalogueIndexer(cloud);
  let reading: RowReading | undefined;
  for await (const cells of csvRows(chunks)) {
    if (!reading) {
      reading = rowReading(cells);
      continue;
    }
    const row = reading(cells);
    if (row) indexer.add(row);
  }
  if (!reading) throw new CatalogueError('it is empty');
  return indexer.index;
}
