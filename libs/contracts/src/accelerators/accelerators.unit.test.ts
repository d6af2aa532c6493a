import { describe, expect, test } from '@jest/globals';
import {
  ACCELERATORS,
  acceleratorNames,
  acceleratorOfRunpod,
  acceleratorOfVast,
  launchNameOf,
  leastMemoryMb,
  runpodGpuOf,
  sameGpuId,
  unknownAccelerator,
  vastGpuOf,
} from './index.js';

/** Row by row: RunPod's id, its display name, GB, SkyPilot's launch name, its catalogue name where it differs, the pool. */
const SHEET = `
NVIDIA L4|L4|24|L4||AMPERE_24
NVIDIA L40|L40|48|L40||ADA_48_PRO
NVIDIA L40S|L40S|48|L40S||ADA_48_PRO
NVIDIA A30|A30|24|A30||
NVIDIA A40|A40|48|A40||AMPERE_48
NVIDIA A100 80GB PCIe|A100 PCIe|80|A100-80GB||AMPERE_80
NVIDIA A100-SXM4-80GB|A100 SXM|80|A100-80GB-SXM||AMPERE_80
NVIDIA H100 PCIe|H100 PCIe|80|H100||ADA_80_PRO
NVIDIA H100 80GB HBM3|H100 SXM|80|H100-SXM||ADA_80_PRO
NVIDIA H100 NVL|H100 NVL|94|H100-NVL||
NVIDIA H200|H200 SXM|141|H200-SXM||HOPPER_141
NVIDIA H200 NVL|NVIDIA H200 NVL|143|-|NVIDIA-H200-NVL|
NVIDIA B200|B200|180|B200||BLACKWELL_180
NVIDIA B300 SXM6 AC|B300|288|-|B300|
AMD Instinct MI300X OAM|MI300X|192|MI300X||
NVIDIA GeForce RTX 3070|RTX 3070|8|RTX3070||
NVIDIA GeForce RTX 3080|RTX 3080|10|RTX3080||
NVIDIA GeForce RTX 3080 Ti|RTX 3080 Ti|12|RTX3080Ti|RTX3080-Ti|
NVIDIA GeForce RTX 3090|RTX 3090|24|RTX3090||AMPERE_24
NVIDIA GeForce RTX 3090 Ti|RTX 3090 Ti|24|RTX3090Ti|RTX3090-Ti|
NVIDIA GeForce RTX 4070 Ti|RTX 4070 Ti|12|RTX4070Ti|RTX4070-Ti|
NVIDIA GeForce RTX 4080|RTX 4080|16|RTX4080||
NVIDIA GeForce RTX 4080 SUPER|RTX 4080 SUPER|16|RTX4080SUPER|RTX4080-SUPER|
NVIDIA GeForce RTX 4090|RTX 4090|24|RTX4090||ADA_24
NVIDIA GeForce RTX 5080|RTX 5080|16|RTX5080||
NVIDIA GeForce RTX 5090|RTX 5090|32|RTX5090||ADA_32_PRO
NVIDIA RTX 2000 Ada Generation|RTX 2000 Ada|16|RTX2000-Ada||AMPERE_16
NVIDIA RTX 4000 Ada Generation|RTX 4000 Ada|20|RTX4000-Ada||AMPERE_16
NVIDIA RTX 4000 SFF Ada Generation|RTX 4000 Ada SFF|20|RTX4000-Ada-SFF||
NVIDIA RTX 5000 Ada Generation|RTX 5000 Ada|32|RTX5000-Ada||
NVIDIA RTX 6000 Ada Generation|RTX 6000 Ada|48|RTX6000-Ada||ADA_48_PRO
NVIDIA RTX A2000|RTX A2000|6|RTXA2000||
NVIDIA RTX A4000|RTX A4000|16|RTXA4000||AMPERE_16
NVIDIA RTX A4500|RTX A4500|20|RTXA4500||AMPERE_16
NVIDIA RTX A5000|RTX A5000|24|RTXA5000||AMPERE_24
NVIDIA RTX A6000|RTX A6000|48|RTXA6000||AMPERE_48
NVIDIA RTX PRO 4500 Blackwell|RTX PRO 4500|32|RTXPRO4500||
NVIDIA RTX PRO 6000 Blackwell Server Edition|RTX PRO 6000|96|RTXPRO6000||BLACKWELL_96
NVIDIA RTX PRO 6000 Blackwell Workstation Edition|RTX PRO 6000 WK|96|RTXPRO6000-WK||BLACKWELL_96
NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition|RTX PRO 6000 MaxQ|96|-|RTXPRO6000-MaxQ|BLACKWELL_96
Tesla V100-PCIE-16GB|Tesla V100|16|V100-16GB-PCIe|Tesla-V100|
Tesla V100-SXM2-16GB|V100 SXM2|16|V100-16GB-SXM2|V100-SXM2|
Tesla V100-SXM2-32GB|V100 SXM2 32GB|32|V100-32GB-SXM2|V100-SXM2-32GB|
Tesla V100-FHHL-16GB||16|V100-16GB-FHHL||`
  .trim()
  .split('\n')
  .map((line) => line.split('|') as [string, string, string, string, string, string]); // six columns as written above

describe('the names of a card at RunPod', () => {
  test.each(SHEET)('%s (%s, %s GB) is launched as %s', (id, display, memory, launch, catalogue, pool) => {
    const launchName = launch === '-' ? null : launch;
    const catalogueName = catalogue || launch;
    const names = { id, displayName: display || null, launchName, catalogueName, pool: pool || null };
    const card = acceleratorOfRunpod(id);
    expect(card).toMatchObject({ name: launchName ?? catalogueName, memoryGiB: Number(memory), runpod: names });
    if (display) expect(acceleratorOfRunpod(display)).toBe(card);
    expect(launchNameOf('runpod', catalogueName)).toBe(launchName ?? undefined);
    if (launchName !== null) {
      expect(runpodGpuOf(launchName)).toEqual(card);
      expect(launchNameOf('runpod', launchName)).toBe(launchName);
    }
  });

  test('the sheet and the table have the same cards', () => {
    const ids = ACCELERATORS.flatMap(({ runpod }) => runpod?.id ?? []);
    expect(ids).toEqual(SHEET.map(([id]) => id));
  });

  test('each is unique under every name', () => {
    const columns = [
      ACCELERATORS.map(({ name }) => name),
      ACCELERATORS.flatMap(({ runpod }) => runpod?.id ?? []),
      ACCELERATORS.flatMap(({ runpod }) => runpod?.displayName ?? []),
      ACCELERATORS.flatMap(({ runpod }) => runpod?.launchName ?? []),
      ACCELERATORS.flatMap(({ runpod }) => runpod?.catalogueName ?? []),
      ACCELERATORS.flatMap(({ vast }) => vast.map(({ gpuName }) => gpuName)),
    ];
    for (const names of columns) expect(names.length).toBe(new Set(names).size);
  });

  test.each(['NVIDIA  RTX A4500', ' NVIDIA RTX  A4500 ', 'NVIDIA\tRTX A4500'])(
    'an id is the same whatever blanks stand in it: %j',
    (id) => {
      expect(sameGpuId(id, 'NVIDIA RTX A4500')).toBe(true);
      expect(acceleratorOfRunpod(id)?.name).toBe('RTXA4500');
      expect(sameGpuId(id, 'NVIDIA RTX A4000')).toBe(false);
    },
  );

  test.each([
    'NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb',
    'NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 2g.48gb',
    'unknown',
    '',
  ])('a slice of a card, or no type at all, is no card: %j', (id) => {
    expect(acceleratorOfRunpod(id)).toBeUndefined();
  });

  test('what SkyPilot cannot launch there cannot be asked for, whatever its catalogue lists', () => {
    for (const name of ['B300', 'NVIDIA-H200-NVL', 'RTXPRO6000-MaxQ', 'RTX3080-Ti', 'l40s', 'T4']) {
      expect(runpodGpuOf(name)).toBeUndefined();
      expect(acceleratorNames('runpod')).not.toContain(name);
    }
  });
});

describe('the names of a card at Vast', () => {
  test.each([
    ['H100', ['H100 PCIE', 'H100 SXM', 'H100 NVL'], 80],
    ['H100-SXM', ['H100 SXM'], 80],
    ['A100', ['A100 PCIE', 'A100 SXM4'], 40],
    ['A100-80GB', ['A100 PCIE'], 80],
    ['H200', ['H200', 'H200 NVL'], 141],
    ['RTX3080', ['RTX 3080', 'RTX 3080 Ti'], 10],
    ['RTX4090', ['RTX 4090', 'RTX 4090D'], 24],
    ['RTX6000-Ada', ['RTX 6000Ada'], 48],
    ['RTXPRO6000S', ['RTX PRO 6000 S'], 96],
    ['L40S', ['L40S'], 48],
    ['V100', ['Tesla V100'], 16],
  ])('%s is searched as %j with at least %i GiB', (accelerator, gpuNames, memoryGiB) => {
    expect(vastGpuOf(accelerator)).toEqual({ gpuNames, memoryGiB });
  });

  test('only names that SkyPilot launches there can be asked for', () => {
    expect(acceleratorNames('vast')).toEqual(
      expect.arrayContaining(['H100', 'A100', 'H200', 'RTX4090', 'RTXPRO6000S']),
    );
    for (const name of ['H100-SXM', 'A100-80GB', 'H200-SXM', 'RTXPRO6000', 'MI300X']) {
      expect(acceleratorNames('vast')).not.toContain(name);
    }
    expect(vastGpuOf('MI300X')).toBeUndefined();
  });

  test.each([
    ['H100 SXM', 81_559, 'H100-SXM'],
    ['H100_NVL', 95_830, 'H100-NVL'],
    ['L40S', 46_068, 'L40S'],
    ['L4', 23_034, 'L4'],
    ['RTX 4090', 49_140, 'RTX4090'],
    ['Tesla V100', 32_768, 'V100'],
  ])('an offer of %s with %i MB is a %s', (gpuName, ram, name) => {
    expect(acceleratorOfVast(gpuName, ram)?.name).toBe(name);
    expect(ram).toBeGreaterThanOrEqual(leastMemoryMb(acceleratorOfVast(gpuName)?.memoryGiB ?? Infinity));
  });

  test('half the memory of a card does not count as that card', () => {
    expect(leastMemoryMb(80)).toBeGreaterThan(40_960);
    expect(acceleratorOfVast('GTX 1080')).toBeUndefined();
  });
});

describe('an unknown card', () => {
  test.each([
    ['runpod', 'L40s', /near names known for runpod: L40S, /],
    ['runpod', 'RTX3080-Ti', /RTX3080Ti/],
    ['vast', 'H100-SXM', /"H100-SXM"; near names known for vast: H100/],
    ['lambda', 'A1000', /near names known for lambda: A100/],
  ])('at %s, %s, is told with names near to it', (cloud, name, text) => {
    expect(acceleratorNames(cloud)).not.toContain(name);
    expect(unknownAccelerator(cloud, name)).toMatch(text);
  });

  test('of an endless name is told in a short line', () => {
    expect(unknownAccelerator('runpod', 'x'.repeat(10_000)).length).toBeLessThan(200);
    expect(acceleratorNames('constructor')).toEqual(acceleratorNames('lambda'));
  });
});
