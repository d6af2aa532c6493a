import type { Placement } from '@davit/contracts';
import { VirtualClock, silentLogger } from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { CatalogueAnswer } from './catalogue.js';
import { type PriceFiles, nodeFiles } from './files.js';
import { skyCatalogue } from './sky-catalogue.js';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));
const REREAD_MS = 3_600_000;

const catalogueOf = (files: PriceFiles, clock = new VirtualClock(), directory = FIXTURES) =>
  skyCatalogue({ files, clock, logger: silentLogger }, { directory, rereadMs: REREAD_MS });
const card = (cloud: string, name: string, count = 1, region: string | null = null): Placement => ({
  cloud,
  region,
  accelerator: { name, count },
  spot: false,
  maxHourlyPrice: null,
});
const listed = (answer: CatalogueAnswer) =>
  answer.outcome === 'listed'
    ? answer.listing.rows.map(({ instanceType, region, zone, onDemand, spot, hostingType }) => [
        instanceType,
        region,
        zone,
        onDemand,
        spot,
        hostingType,
      ])
    : answer.outcome;

describe('rows of SkyPilot catalogues', () => {
  const golden = catalogueOf(nodeFiles);

  it('have prices of whole machines, and none where a cell is empty, zero or not a number', async () => {
    expect(listed(await golden.lookUp(card('runpod', 'L40S')))).toEqual([
      ['1x_L40S_SECURE', 'CA', 'CA-MTL-1', '0.86', null, null],
      ['1x_L40S_SECURE', 'RO', 'EU-RO-1', '0.89', '0.5', null],
    ]);
    expect(listed(await golden.lookUp(card('runpod', 'L40S', 2)))).toMatchObject([
      ['2x_L40S_SECURE', 'CA', 'CA-MTL-1', '1.72', '0.98', null],
    ]);
    expect(listed(await golden.lookUp(card('runpod', 'B200')))).toEqual([
      ['1x_B200_SECURE', 'US', 'US-TX-3', null, null, null],
    ]);
    expect(listed(await golden.lookUp(card('runpod', 'A40')))).toEqual([
      ['1x_A40_SECURE', 'CA', 'CA-MTL-1', null, null, null],
    ]);
  });

  it('are read past a GpuInfo with quotes in quotes, or with gigabytes where mebibytes belong', async () => {
    expect(listed(await golden.lookUp(card('runpod', 'RTX3080Ti')))).toEqual([
      ['1x_RTX3080-Ti_SECURE', 'US', 'US-GA-1', '0.18', null, null],
    ]);
    expect(listed(await golden.lookUp(card('runpod', 'H100')))).toEqual([
      ['1x_H100_SECURE', 'US', 'US-KS-2', '2.39', '1.25', null],
    ]);
  });

  it('are found by region or by zone, and a region with commas is one region', async () => {
    expect(listed(await golden.lookUp(card('runpod', 'L40S', 1, 'RO')))).toHaveLength(1);
    expect(listed(await golden.lookUp(card('runpod', 'L40S', 1, 'CA-MTL-1')))).toHaveLength(1);
    expect(listed(await golden.lookUp(card('vast', 'RTX4090', 1, 'Sweden, SE, EU')))).toEqual([
      ['1x-RTX4090-32-65536', 'Sweden, SE, EU', null, '0.43', '0.2', '1'],
    ]);
    expect(await golden.lookUp(card('runpod', 'L40S', 1, 'FR'))).toMatchObject({ outcome: 'not-listed' });
  });

  it('are read by the names of their columns, whatever their order, and only for whole accelerators', async () => {
    expect(listed(await golden.lookUp(card('aws', 'H100', 8, 'eu-north-1')))).toEqual([
      ['p5.48xlarge', 'eu-north-1', 'eu-north-1a', '63.592', '7.9', null],
    ]);
    expect(await golden.lookUp(card('aws', 'A10'))).toMatchObject({ outcome: 'not-listed' });
    expect(await golden.lookUp({ ...card('aws', 'H100'), accelerator: null })).toMatchObject({ outcome: 'not-listed' });
  });

  it('are missing where a cloud has no catalogue, and a name of a cloud is no way out of the directory', async () => {
    expect(await golden.lookUp(card('lambda', 'H100'))).toEqual({
      outcome: 'no-catalogue',
      detail: expect.stringMatching(/there is no .*lambda\/vms\.csv; `sky gpus list` makes one/),
    });
    expect(await golden.lookUp(card('../runpod', 'L40S'))).toMatchObject({ outcome: 'no-catalogue' });
  });
});

describe('a catalogue on disk', () => {
  const HEADER = 'InstanceType,AcceleratorName,AcceleratorCount,Region,Price\n';
  class Disk implements PriceFiles {
    reads = 0;
    content: string | undefined = `${HEADER}a,L4,1,US,0.50\n`;
    version = 1;
    stamp = () => Promise.resolve(this.content === undefined ? undefined : String(this.version));
    text = () => Promise.reject(new Error('not a small file'));
    async *chunks() {
      this.reads += 1;
      yield await Promise.resolve(this.content ?? '');
    }
    write(content: string | undefined) {
      this.content = content;
      this.version += 1;
    }
  }
  const price = (answer: CatalogueAnswer) => (answer.outcome === 'listed' ? answer.listing.rows[0]?.onDemand : answer);

  it('is read once for many at once, again when it changed, and says when it was read', async () => {
    const [clock, disk] = [new VirtualClock(), new Disk()];
    const catalogue = catalogueOf(disk, clock, '/catalogues');
    const asked = [1, 2, 3].map(() => catalogue.lookUp(card('runpod', 'L4')));
    const readAt = new Date(clock.nowMs()).toISOString();
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ readAt })));
    await clock.advance(60_000);
    expect(await catalogue.lookUp(card('runpod', 'L4'))).toMatchObject({ readAt });
    expect(disk.reads).toBe(1);
    disk.write(`${HEADER}a,L4,1,US,0.60\n`);
    await clock.advance(60_000);
    expect(price(await catalogue.lookUp(card('runpod', 'L4')))).toBe('0.60');
  });

  it('is read anew though it did not change, so that its prices are as recent as they can be', async () => {
    const [clock, disk] = [new VirtualClock(), new Disk()];
    const catalogue = catalogueOf(disk, clock, '/catalogues');
    await catalogue.lookUp(card('runpod', 'L4'));
    await clock.advance(REREAD_MS);
    const readAt = new Date(clock.nowMs()).toISOString();
    expect(await catalogue.lookUp(card('runpod', 'L4'))).toMatchObject({ readAt });
  });

  it('keeps its last good reading, with its age, while the file is gone, cut off or of another kind', async () => {
    const [clock, disk] = [new VirtualClock(), new Disk()];
    const catalogue = catalogueOf(disk, clock, '/catalogues');
    const first = await catalogue.lookUp(card('runpod', 'L4'));
    for (const broken of [undefined, '', 'a,b,c\n1,2,3\n', `${HEADER}a,L4,1,US,"0.7`]) {
      disk.write(broken);
      await clock.advance(60_000);
      expect(await catalogue.lookUp(card('runpod', 'L4'))).toEqual(first);
    }
  });

  it('is summed up while it is read: a look-up makes nothing of its rows, however many they are', async () => {
    const disk = new Disk();
    const rows = Array.from({ length: 12_500 }, (_, index) => `a,L4,1,R${index % 50},${(index % 97) + 1}.50`);
    disk.write(`${HEADER}${rows.join('\n')}\n`);
    const catalogue = catalogueOf(disk);
    const [everywhere, again, there] = await Promise.all(
      [null, null, 'R7'].map((r) => catalogue.lookUp(card('aws', 'L4', 1, r))),
    );
    expect(everywhere).toMatchObject({ listing: { dearest: { onDemand: '97.50', spot: null } } });
    expect(there).toMatchObject({ listing: { regions: ['R7'], dearest: { onDemand: '97.50' } } });
    const listingOf = (answer?: CatalogueAnswer) => (answer?.outcome === 'listed' ? answer.listing : undefined);
    expect(listingOf(everywhere)?.rows).toHaveLength(12_500);
    expect(listingOf(everywhere)?.regions).toHaveLength(50);
    expect(listingOf(again)).toBe(listingOf(everywhere));
  });

  it('says what is wrong with a file that never could be read', async () => {
    const disk = new Disk();
    disk.write('InstanceType,Region\n');
    expect(await catalogueOf(disk).lookUp(card('runpod', 'L4'))).toEqual({
      outcome: 'no-catalogue',
      detail: expect.stringContaining('it has no column AcceleratorName, AcceleratorCount, Price'),
    });
  });
});
