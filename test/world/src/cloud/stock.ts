import { DATA_CENTERS, GPU_TYPES, gpuByName, type DataCenter, type GpuType } from './gpus.js';

export type StockLevel = 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH';

/** Free GPUs of one type in one place. */
export interface StockCell {
  readonly cloud: string;
  readonly gpuId: string;
  readonly place: string;
  readonly free: number;
}

export interface StockChange {
  readonly cloud?: string;
  /** Any name of the GPU type. */
  readonly gpu: string;
  /** A data center or region; absent means every place. */
  readonly place?: string;
  readonly free?: number;
  /** Shown instead of the level that `free` gives: the signal lies. Null takes the lie back. */
  readonly shownLevel?: string | null;
}

export interface LevelThresholds {
  readonly medium: number;
  readonly high: number;
}

const DEFAULT_FREE = 12;
const GENERIC_PLACE = 'default';

/** What every provider has to give, whatever it shows. */
export class Stock {
  private readonly free = new Map<string, number>();
  private readonly shown = new Map<string, string>();

  constructor(private readonly thresholds: LevelThresholds = { medium: 3, high: 10 }) {}

  /** Where `count` GPUs of a type can be had in a cloud, best place first. `place` filters by data center or country. */
  placesFor(cloud: string, gpuId: string, count: number, place?: string): readonly string[] {
    return this.places(cloud, place)
      .filter((candidate) => this.freeAt(cloud, gpuId, candidate) >= count)
      .sort((a, b) => this.freeAt(cloud, gpuId, b) - this.freeAt(cloud, gpuId, a));
  }

  freeAt(cloud: string, gpuId: string, place: string): number {
    return this.free.get(cellKey(cloud, gpuId, place)) ?? DEFAULT_FREE;
  }

  take(cloud: string, gpuId: string, place: string, count: number): void {
    this.free.set(cellKey(cloud, gpuId, place), this.freeAt(cloud, gpuId, place) - count);
  }

  give(cloud: string, gpuId: string, place: string, count: number): void {
    this.take(cloud, gpuId, place, -count);
  }

  /** The level shown for `count` GPUs together over the given places. */
  level(cloud: string, gpuId: string, places: readonly string[], count: number): string {
    const shown = this.shown.get(`${cloud}|${gpuId}`);
    if (shown !== undefined) return shown;
    let shapes = 0;
    for (const place of places) shapes += Math.max(0, Math.floor(this.freeAt(cloud, gpuId, place) / count));
    return this.levelOf(shapes);
  }

  set(change: StockChange): boolean {
    const gpu = gpuByName(change.gpu);
    if (!gpu) return false;
    const cloud = change.cloud ?? 'runpod';
    if (change.free !== undefined) {
      for (const place of this.places(cloud, change.place)) this.free.set(cellKey(cloud, gpu.id, place), change.free);
    }
    if (change.shownLevel === null) this.shown.delete(`${cloud}|${gpu.id}`);
    else if (change.shownLevel !== undefined) this.shown.set(`${cloud}|${gpu.id}`, change.shownLevel);
    return true;
  }

  cells(): readonly StockCell[] {
    return ['runpod', 'vast'].flatMap((cloud) =>
      GPU_TYPES.flatMap((gpu: GpuType) =>
        this.places(cloud).map((place) => ({
          cloud,
          gpuId: gpu.id,
          place,
          free: this.freeAt(cloud, gpu.id, place),
        })),
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

const cellKey = (cloud: string, gpuId: string, place: string): string => `${cloud}|${gpuId}|${place}`;
