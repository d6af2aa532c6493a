import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TestWorld } from '../test-world.js';
import { writeCatalogueFiles } from './catalogue-files.js';

const linesOf = (test: TestWorld, file: string): readonly string[] =>
  (test.world.catalogue.files()[file] ?? '').trim().split('\n');
const lineOf = (test: TestWorld, file: string, start: string): string | undefined =>
  linesOf(test, file).find((line) => line.startsWith(start));
const list = async (test: TestWorld, ...argv: readonly string[]): Promise<Record<string, Record<string, unknown>[]>> =>
  JSON.parse((await test.exited(['gpus', 'list', '-o', 'json', ...argv])).stdout) as never;

describe('the catalogue files of SkyPilot', () => {
  it('have the columns and rows of the real ones', () => {
    const test = new TestWorld();
    expect(linesOf(test, 'runpod/vms.csv')[0]).toBe(
      'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,AvailabilityZone,GpuInfo',
    );
    expect(lineOf(test, 'runpod/vms.csv', '2x_A100-80GB_SECURE')).toBe(
      `2x_A100-80GB_SECURE,A100-80GB,2.0,16.0,160.0,US,1.64,3.28,US-KS-2,"{'Gpus': [{'Name': 'A100 PCIe', 'Manufacturer': 'NVIDIA', 'Count': 2.0, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 163840}"`,
    );
    expect(linesOf(test, 'vast/vms.csv')[0]).toBe(
      'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,HostingType',
    );
    expect(lineOf(test, 'vast/vms.csv', '1x-H100_SXM')).toBe(
      `1x-H100_SXM-32-65536,H100,1,32,64.0,"{'Gpus': [{'Name': 'H100', 'Count': 1, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 81920}",2.77,0.00,"Texas, US, NA",1`,
    );
    expect(lineOf(test, 'vast/vms.csv', '1x-RTX_6000Ada')).toContain(',RTX6000-Ada,');
    expect(lineOf(test, 'common/accelerators.csv', 'L40S')).toBe('L40S,"RunPod, Vast"');
  });

  it('list what was in stock at the last refresh, at the prices of then', () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', free: 0 });
    test.world.prices.set({ gpu: 'L40S', secure: 1 });
    expect(lineOf(test, 'runpod/vms.csv', '1x_L4_')).toBeDefined();
    expect(lineOf(test, 'runpod/vms.csv', '1x_L40S_')).toContain(',0.86,US-KS-2');
    test.world.catalogue.drift = 1.1;
    test.world.catalogue.refresh();
    expect(lineOf(test, 'runpod/vms.csv', '1x_L4_')).toBeUndefined();
    expect(lineOf(test, 'runpod/vms.csv', '1x_L40S_')).toContain(',1.10,US-KS-2');
  });

  it('leave a spot price empty that there is none of', () => {
    const test = new TestWorld();
    test.world.prices.set({ gpu: 'L4', secureSpot: null });
    test.world.catalogue.refresh();
    expect(lineOf(test, 'runpod/vms.csv', '1x_L4_')).toContain(',US,,0.43,US-KS-2');
  });

  it('are written below a home, and again with each refresh', () => {
    const home = mkdtempSync(join(tmpdir(), 'davit-sky-home-'));
    try {
      const { catalogue, prices } = new TestWorld().world;
      catalogue.onRefresh(() => writeCatalogueFiles(home, catalogue));
      prices.set({ gpu: 'L4', secure: 9 });
      catalogue.refresh();
      const written = readFileSync(join(home, '.sky/catalogs/v8/runpod/vms.csv'), 'utf8');
      expect(written).toBe(catalogue.files()['runpod/vms.csv']);
      expect(written).toContain(',9.00,');
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe('sky gpus list', () => {
  it('prints rows of the catalogue, each instance type once at its lowest price', async () => {
    const { L40S } = await list(new TestWorld(), 'L40S:2');
    expect(L40S).toEqual([
      {
        cloud: 'RunPod',
        instance_type: '2x_L40S_SECURE',
        accelerator_name: 'L40S',
        accelerator_count: 2,
        cpu_count: 16,
        device_memory: 48,
        memory: 96,
        price: 1.72,
        spot_price: 0.86,
        region: 'US',
      },
      expect.objectContaining({ cloud: 'Vast', instance_type: '2x-L40S-32-65536', spot_price: 0 }),
    ]);
  });

  it('lists every place when asked, and one cloud when asked', async () => {
    const test = new TestWorld();
    const { L40S = [] } = await list(test, 'L40S:1', '--all-regions', '--infra', 'runpod');
    expect(L40S.map(({ region }) => region)).toEqual(['US', 'US', 'CA', 'RO', 'IS', 'JP']);
    expect(Object.keys(await list(test, '--infra', 'vast'))).toContain('H100');
  });

  it('says so with exit code 0 when there is no such card', async () => {
    const test = new TestWorld();
    expect(await list(test, 'L400')).toEqual({});
    expect(await test.exited(['gpus', 'list', 'L400:2'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("Resources 'L400' with requested quantity 2 not found"),
    });
  });

  it.each([['L40S:0'], ['L40S:x'], ['L40S:1:1']])('refuses %s as a misuse', async (wanted) => {
    expect(await new TestWorld().exited(['gpus', 'list', wanted])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('has an older name, which warns and has no JSON', async () => {
    const test = new TestWorld();
    const { exitCode, stdout, stderr } = await test.exited(['show-gpus', 'L40S']);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('deprecated')]);
    expect(stdout).toContain('1x_L40S_SECURE');
    expect(await test.exited(['show-gpus', '-o', 'json'])).toMatchObject({ exitCode: 2 });
  });
});
