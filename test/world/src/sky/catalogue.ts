import { DATA_CENTERS, GPU_TYPES } from '../cloud/gpus.js';
import { marketMachine, storageHourly } from '../cloud/marketplace.js';
import { dollars, type Prices } from '../cloud/prices.js';
import { type Stock } from '../cloud/stock.js';

export type CatalogueCloud = 'runpod' | 'vast';

/** One line of a catalogue file: a whole instance in one place. */
export interface CatalogueRow {
  readonly cloud: CatalogueCloud;
  readonly instanceType: string;
  readonly accelerator: string;
  readonly count: number;
  readonly vcpus: number;
  readonly memoryGib: number;
  /** Memory of one card. */
  readonly gpuMib: number;
  readonly region: string;
  readonly zone: string;
  readonly price: number;
  readonly spotPrice: number | null;
  readonly gpuName: string;
}

const COUNTS = [1, 2, 4, 8];
/** The fetcher asks for offers with at least this much disk, in GB. */
const VAST_DISK_GB = 80;

/**
 * What SkyPilot believes of types and prices: list prices, taken at the last refresh and not since. Places that had no stock at
 * that moment are missing (the fetcher of September 2026 lists what it finds in stock), and nothing says when it was taken.
 */
export class SkyCatalogue {
  /** Multiplies every price of the next refresh: a catalogue that is off. */
  drift = 1;
  private rows: readonly CatalogueRow[];
  /** Grows with each refresh. */
  version = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly stock: Stock,
    private readonly prices: Prices,
  ) {
    this.rows = this.fetched();
  }

  refresh(): void {
    this.rows = this.fetched();
    this.version += 1;
    for (const listener of this.listeners) listener();
  }

  onRefresh(listener: () => void): void {
    this.listeners.push(listener);
  }

  of(cloud: CatalogueCloud): readonly CatalogueRow[] {
    return this.rows.filter((row) => row.cloud === cloud);
  }

  /** The files of a SkyPilot home, by path below `.sky/catalogs/v8`. */
  files(): Readonly<Record<string, string>> {
    const names = [...new Set(this.rows.map(({ accelerator }) => accelerator))].sort();
    return {
      'runpod/vms.csv': runpodFile(this.of('runpod')),
      'vast/vms.csv': vastFile(this.of('vast')),
      'common/accelerators.csv': lines(['AcceleratorName,Clouds', ...names.map((name) => this.cloudsLine(name))]),
      'common/metadata.csv': lines(['GPU,Memory', ...names.map((name) => `${name},${this.memoryGbOf(name)}`)]),
    };
  }

  private cloudsLine(accelerator: string): string {
    const clouds = (['runpod', 'vast'] as const).filter((cloud) =>
      this.of(cloud).some((row) => row.accelerator === accelerator),
    );
    return `${accelerator},"${clouds.map((cloud) => CLOUD_WORDS[cloud]).join(', ')}"`;
  }

  private memoryGbOf(accelerator: string): number {
    return Math.round((this.rows.find((row) => row.accelerator === accelerator)?.gpuMib ?? 0) / 1024);
  }

  private fetched(): readonly CatalogueRow[] {
    return [...this.runpodRows(), ...this.vastRows()];
  }

  private runpodRows(): readonly CatalogueRow[] {
    return GPU_TYPES.flatMap((gpu) => {
      const { secure, secureSpot } = this.prices.list('runpod', gpu);
      if (secure === null) return [];
      return COUNTS.filter((count) => count <= gpu.maxCount).flatMap((count) =>
        DATA_CENTERS.filter(({ id }) => this.stock.freeAt('runpod', gpu.id, id) >= count).map((center) => ({
          cloud: 'runpod' as const,
          instanceType: `${count}x_${gpu.accelerator}_SECURE`,
          accelerator: gpu.accelerator,
          count,
          vcpus: 8 * count,
          memoryGib: Math.max(32, gpu.memoryGb) * count,
          gpuMib: gpu.memoryGb * 1024,
          region: center.country,
          zone: center.id,
          price: this.listed(secure * count),
          spotPrice: secureSpot === null ? null : this.listed(secureSpot * count),
          gpuName: gpu.name,
        })),
      );
    });
  }

  /** Prices are those of the middle offer, with the disk that the fetcher asks for. */
  private vastRows(): readonly CatalogueRow[] {
    return GPU_TYPES.flatMap((gpu, type) => {
      const { secure } = this.prices.list('vast', gpu);
      if (secure === null) return [];
      return COUNTS.filter((count) => count <= gpu.maxCount).flatMap((count) => {
        const machines = Math.min(3, Math.floor(this.stock.freeAt('vast', gpu.id, 'default') / count));
        const offers = Array.from({ length: machines }, (_, slot) => marketMachine(type, slot));
        const middle = offers[Math.floor(offers.length / 2)];
        if (!middle) return [];
        const price = Math.ceil((secure * middle.factor * count + storageHourly(middle, VAST_DISK_GB)) * 100) / 100;
        return offers.map(({ geolocation, continent }) => ({
          cloud: 'vast' as const,
          instanceType: `${count}x-${gpu.vastName.replaceAll(' ', '_')}-32-65536`,
          accelerator: gpu.vastAccelerator,
          count,
          vcpus: 32,
          memoryGib: 64,
          gpuMib: gpu.memoryGb * 1024,
          region: `${geolocation}, ${continent}`,
          zone: '',
          price: this.listed(price),
          // Written as 0.00 in the real file: the price of a bid is not known there.
          spotPrice: 0,
          gpuName: gpu.vastAccelerator,
        }));
      });
    });
  }

  private listed(price: number): number {
    return Math.round(dollars(price * this.drift) * 100) / 100;
  }
}

export const CLOUD_WORDS: Readonly<Record<CatalogueCloud, string>> = { runpod: 'RunPod', vast: 'Vast' };

const lines = (rows: readonly string[]): string => `${rows.join('\n')}\n`;
const fixed = (value: number, decimals: number): string => value.toFixed(decimals);

/** A Python dictionary as text, in quotes because of its commas. */
const gpuInfo = ({ gpuName, count, gpuMib, cloud }: CatalogueRow): string => {
  const maker = cloud === 'runpod' ? `'Manufacturer': 'NVIDIA', ` : '';
  // Vast's rows give the memory of all cards together as that of one.
  const each = cloud === 'runpod' ? gpuMib : gpuMib * count;
  return `"{'Gpus': [{'Name': '${gpuName}', ${maker}'Count': ${count}${cloud === 'runpod' ? '.0' : ''}, 'MemoryInfo': {'SizeInMiB': ${each}}}], 'TotalGpuMemoryInMiB': ${gpuMib * count}}"`;
};

const runpodFile = (rows: readonly CatalogueRow[]): string =>
  lines([
    'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,AvailabilityZone,GpuInfo',
    ...rows.map((row) =>
      [
        row.instanceType,
        row.accelerator,
        fixed(row.count, 1),
        fixed(row.vcpus, 1),
        fixed(row.memoryGib, 1),
        row.region,
        row.spotPrice === null ? '' : fixed(row.spotPrice, 2),
        fixed(row.price, 2),
        row.zone,
        gpuInfo(row),
      ].join(','),
    ),
  ]);

const vastFile = (rows: readonly CatalogueRow[]): string =>
  lines([
    'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,HostingType',
    ...rows.map((row) =>
      [
        row.instanceType,
        row.accelerator,
        row.count,
        row.vcpus,
        fixed(row.memoryGib, 1),
        gpuInfo(row),
        fixed(row.price, 2),
        fixed(row.spotPrice ?? 0, 2),
        `"${row.region}"`,
        '1',
      ].join(','),
    ),
  ]);
