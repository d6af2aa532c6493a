import { dollars } from './prices.js';

/** One machine of a marketplace. The n-th cheapest of a type is always the same. */
export interface MarketMachine {
  readonly machineId: number;
  readonly hostId: number;
  /** Its price as a multiple of the cheapest. */
  readonly factor: number;
  /** `<place>, <country>`; some hosts say no place. */
  readonly geolocation: string;
  readonly country: string;
  readonly continent: string;
  readonly reliability: number;
  readonly diskGb: number;
  /** USD for a GB and month. */
  readonly storageCost: number;
  readonly downloadMbps: number;
}

const PLACES: readonly (readonly [place: string, country: string, continent: string])[] = [
  ['Texas', 'US', 'NA'],
  ['France', 'FR', 'EU'],
  ['', 'US', 'NA'],
  ['Quebec', 'CA', 'NA'],
  ['Taiwan', 'TW', 'AS'],
];

/** The machine in position `slot` of a type, cheapest first. */
export function marketMachine(type: number, slot: number): MarketMachine {
  const [place, country, continent] = PLACES[slot % PLACES.length] ?? ['', 'US', 'NA'];
  return {
    machineId: 40_000 + type * 100 + slot,
    hostId: 9_000 + type * 10 + (slot % 4),
    factor: 1 + slot * 0.02,
    geolocation: `${place}, ${country}`,
    country,
    continent,
    reliability: 0.995 - (slot % 5) * 0.004,
    diskGb: 300 + (slot % 4) * 250,
    storageCost: 0.15,
    downloadMbps: 400 + (slot % 3) * 300,
  };
}

/** What `diskGb` cost an hour: prices are for a month of 30 days. */
export const storageHourly = ({ storageCost }: MarketMachine, diskGb: number): number =>
  dollars((diskGb * storageCost) / 30 / 24);
