import type { Placement } from '@davit/contracts';

/** One row of a SkyPilot catalogue (`catalogs/v8/<cloud>/vms.csv`): list prices of one whole machine in one place. */
export type CatalogueRow = {
  readonly instanceType: string;
  readonly accelerator: { readonly name: string; readonly count: number };
  readonly region: string;
  /** Availability zone; null where the cloud has none. */
  readonly zone: string | null;
  /** Decimal USD an hour; null where the catalogue names none, which is not zero. */
  readonly onDemand: string | null;
  readonly spot: string | null;
  /** Vast only: what kind of host it is, in the catalogue's word. */
  readonly hostingType: string | null;
};

/** Everything that a catalogue lists of one accelerator and count, anywhere or in one region or zone. */
export type CatalogueListing = {
  /** In the order of the file. */
  readonly rows: readonly CatalogueRow[];
  /** Each once, in the order of the file. */
  readonly regions: readonly string[];
  /** Dearest price of all rows by market, decimal USD an hour; null where no row names one. */
  readonly dearest: Readonly<Record<ListMarket, string | null>>;
};
export type ListMarket = 'onDemand' | 'spot';

export type CatalogueAnswer =
  | {
      readonly outcome: 'listed';
      readonly listing: CatalogueListing;
      /** When the file was read: it has no time of its own, and its mtime is touched even where a refresh failed. */
      readonly readAt: string;
    }
  /** The catalogue was read and has no such row: it may have a gap for the moment, so this is not "no stock". */
  | { readonly outcome: 'not-listed'; readonly readAt: string }
  /** There is no catalogue of this cloud, or it cannot be read. */
  | { readonly outcome: 'no-catalogue'; readonly detail: string };

/** Looks placements up in list-price catalogues. Never throws; a catalogue says what exists, never what is in stock. */
export interface CatalogueReader {
  lookUp(placement: Pick<Placement, 'cloud' | 'region' | 'accelerator'>): Promise<CatalogueAnswer>;
}

/** Where no catalogue directory is set. */
export const NO_CATALOGUE: CatalogueReader = {
  lookUp: () => Promise.resolve({ outcome: 'no-catalogue', detail: 'no directory of SkyPilot catalogues is set' }),
};
