import { type Placement, launchNameOf } from '@davit/contracts';
import { compareAmounts } from '@davit/domain';
import type { CatalogueListing, CatalogueRow, ListMarket } from './catalogue.js';

type Sought = Pick<Placement, 'accelerator' | 'region'>;

/** Listings by accelerator, count and place, worked out while the file is read, so that looking one up costs the same however long the file is. */
export type CatalogueIndex = ReadonlyMap<string, CatalogueListing>;

/** What is listed for a placement; undefined where nothing is. */
export const listingOf = (index: CatalogueIndex, { accelerator, region }: Sought): CatalogueListing | undefined =>
  accelerator === null ? undefined : index.get(keyOf(accelerator, region));

const keyOf = ({ name, count }: { readonly name: string; readonly count: number }, place: string | null): string =>
  JSON.stringify([name, count, place]);

type Growing = { rows: CatalogueRow[]; regions: Set<string>; dearest: Record<ListMarket, string | null> };

/** Takes the rows of one cloud's catalogue one by one. */
export class CatalogueIndexer {
  private readonly growing = new Map<string, Growing>();

  constructor(private readonly cloud: string) {}

  add(row: CatalogueRow): void {
    const { name, count } = row.accelerator;
    // Files call some cards by another name than SkyPilot launches them by.
    const accelerator = { name: launchNameOf(this.cloud, name) ?? name, count };
    const places = new Set([null, row.region, ...(row.zone === null ? [] : [row.zone])]);
    for (const place of places) this.addTo(keyOf(accelerator, place), row);
  }

  get index(): CatalogueIndex {
    return new Map(
      [...this.growing].map(([key, { rows, regions, dearest }]) => [key, { rows, regions: [...regions], dearest }]),
    );
  }

  private addTo(key: string, row: CatalogueRow): void {
    const listing = this.growing.get(key) ?? { rows: [], regions: new Set(), dearest: { onDemand: null, spot: null } };
    this.growing.set(key, listing);
    listing.rows.push(row);
    listing.regions.add(row.region);
    for (const market of ['onDemand', 'spot'] as const)
      listing.dearest[market] = dearerOf(listing.dearest[market], row[market]);
  }
}

const dearerOf = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && compareAmounts(b, a) > 0) ? b : a;
