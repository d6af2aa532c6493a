import { DATA_CENTERS, GPU_TYPES, gpuByName, type DataCenter } from './gpus.js';

export type StockLevel = 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH';

/** Whose machines they are: RunPod's own sites, or those of private hosts. Other clouds have `SECURE` only. */
export type Tier = 'SECURE' | 'COMMUNITY';
const TIERS: readonly Tier[] = ['SECURE', 'COMMUNITY'];

/** Free GPUs of one type in one place. */
export interface StockCell {
  readonly cloud: string;
  readonly gpuId: string;
  readonly place: string;
  readonly tier: Tier;
  readonly free: number;
}

export interface StockChange {
  readonly cloud?: string;
  /** Any name of the GPU type. */
  readonly gpu: string;
  /** A data center or region; absent means every place. */
  readonly place?: string;
  /** Absent means both. */
  readonly tier?: Tier;
  readonly free?: number;
  /** Shown instead of the level that `free` gives: the signal lies. Null takes the lie back. */
  readonly shownLevel?: string | null;
  /** The lie changes with every question, in turn: stock that flaps. */
  readonly shownLevels?: readonly string[];
  /** So many creates to come fail although there is stock: somebody else was faster. */
  readonly failNext?: number;
}

export interface LevelThresholds {
  readonly medium: number;
  readonly high: number;
}

/** What a provider shows of one type at one moment: the level for `count` GPUs together over the given places. */
export type LevelLook = (places: readonly string[], count: number, tiers?: readonly Tier[]) => string;

const DEFAULT_FREE = 12;
const GENERIC_PLACE = 'default';
const SECURE: readonly Tier[] = ['SECURE'];

/** What every provider has to give, whatever it shows. */
export class Stock {
  private readonly free = new Map<string, number>();
  private readonly rented = new Map<string, number>();
  private readonly shown = new Map<string, string[]>();
  private readonly failing = new Map<string, number>();

  constructor(public thresholds: LevelThresholds = { medium: 3, high: 10 }) {}

  /** Where `count` GPUs of a type can be had in a cloud, best place first. `place` filters by data center or country. */
  placesFor(cloud: string, gpuId: string, count: number, place?: string, tier: Tier = 'SECURE'): readonly string[] {
    const freeAt = (candidate: string): number => this.freeAt(cloud, gpuId, candidate, tier);
    return this.places(cloud, place)
      .filter((candidate) => freeAt(candidate) >= count)
      .sort((a, b) => freeAt(b) - freeAt(a));
  }

  freeAt(cloud: string, gpuId: string, place: string, tier: Tier = 'SECURE'): number {
    return this.free.get(cellKey(cloud, gpuId, place, tier)) ?? DEFAULT_FREE;
  }

  /** GPUs of a cell that are out at present. */
  rentedAt(cloud: string, gpuId: string, place: string, tier: Tier = 'SECURE'): number {
    return this.rented.get(cellKey(cloud, gpuId, place, tier)) ?? 0;
  }

  take(cloud: string, gpuId: string, place: string, count: number, tier: Tier = 'SECURE'): void {
    const key = cellKey(cloud, gpuId, place, tier);
    this.free.set(key, this.freeAt(cloud, gpuId, place, tier) - count);
    this.rented.set(key, Math.max(0, (this.rented.get(key) ?? 0) + count));
  }

  give(cloud: string, gpuId: string, place: string, count: number, tier: Tier = 'SECURE'): void {
    this.take(cloud, gpuId, place, -count, tier);
  }

  /** True when a create is lost to somebody faster; each call uses up one such loss. */
  raceLost(cloud: string, gpuId: string): boolean {
    const key = typeKey(cloud, gpuId);
    const left = this.failing.get(key) ?? 0;
    if (left > 0) this.failing.set(key, left - 1);
    return left > 0;
  }

  /** One look of one request: where the shown level flaps, the next look sees the next one. */
  look(cloud: string, gpuId: string): LevelLook {
    const lies = this.shown.get(typeKey(cloud, gpuId)) ?? [];
    const [lie, ...others] = lies;
    if (lie !== undefined && others.length > 0) this.shown.set(typeKey(cloud, gpuId), [...others, lie]);
    return (places, count, tiers = SECURE) => {
      if (lie !== undefined) return lie;
      let shapes = 0;
      for (const tier of tiers)
        for (const place of places) shapes += Math.max(0, Math.floor(this.freeAt(cloud, gpuId, place, tier) / count));
      return this.levelOf(shapes);
    };
  }

  set(change: StockChange): boolean {
    const gpu = gpuByName(change.gpu);
    if (!gpu) return false;
    const cloud = change.cloud ?? 'runpod';
    const key = typeKey(cloud, gpu.id);
    if (change.free !== undefined) {
      for (const place of this.places(cloud, change.place))
        for (const tier of change.tier ? [change.tier] : TIERS)
          this.free.set(cellKey(cloud, gpu.id, place, tier), change.free);
    }
    if (change.shownLevel === null) this.shown.delete(key);
    else if (change.shownLevel !== undefined) this.shown.set(key, [change.shownLevel]);
    if (change.shownLevels) this.shown.set(key, [...change.shownLevels]);
    if (change.failNext !== undefined) this.failing.set(key, change.failNext);
    return true;
  }

  cells(): readonly StockCell[] {
    return ['runpod', 'vast'].flatMap((cloud) =>
      GPU_TYPES.flatMap(({ id: gpuId }) =>
        this.places(cloud).flatMap((place) =>
          (cloud === 'runpod' ? TIERS : SECURE).map((tier) => {
            const free = this.freeAt(cloud, gpuId, place, tier);
            return { cloud, gpuId, place, tier, free };
          }),
        ),
      ),
    );
  }

  private levelOf(shapes: number): StockLevel {
    if (shapes <= 0) return 'NONE';
    if (shapes < this.thresholds.medium) return 'LOW';
    return shapes < this.thresholds.high ? 'MEDIUM' : 'HIGH';
  }

  private places(cloud: string, place?: string): string[] {
    if (cloud !== 'runpod') return [GENERIC_PLACE];
    const matching = (center: DataCenter): boolean =>
      place === undefined || center.id === place || center.country === place;
    return DATA_CENTERS.filter(matching).map((center) => center.id);
  }
}

const typeKey = (cloud: string, gpuId: string): string => `${cloud}|${gpuId}`;
const cellKey = (cloud: string, gpuId: string, place: string, tier: Tier): string =>
  `${typeKey(cloud, gpuId)}|${place}|${tier}`;
