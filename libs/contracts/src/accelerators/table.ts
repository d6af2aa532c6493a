import type { Accelerator, RunpodNames, VastNames } from './accelerator.js';

type At = { readonly runpod?: RunpodNames; readonly vast?: readonly VastNames[] };

const card = (name: string, memoryGiB: number, { runpod, vast = [] }: At): Accelerator => ({
  name,
  memoryGiB,
  runpod: runpod ?? null,
  vast,
});

/** Launch and catalogue name are the card's own unless said otherwise. */
const named =
  (name: string) =>
  (
    id: string,
    displayName: string | null,
    more: { launchName?: string | null; catalogueName?: string; pool?: string } = {},
  ): RunpodNames => ({ id, displayName, launchName: name, catalogueName: name, pool: null, ...more });

/** A card that RunPod rents, with its names there, and at Vast where it is listed too. */
const both = (
  name: string,
  memoryGiB: number,
  runpod: Parameters<ReturnType<typeof named>>,
  ...vast: readonly (readonly [gpuName: string, skypilotName: string])[]
): Accelerator => card(name, memoryGiB, { runpod: named(name)(...runpod), vast: vast.map(pair) });

/** A card or a group of cards that other clouds rent. */
const elsewhere = (
  name: string,
  memoryGiB: number,
  ...vast: readonly (readonly [gpuName: string, skypilotName: string])[]
): Accelerator => card(name, memoryGiB, { vast: vast.map(pair) });

const pair = ([gpuName, skypilotName]: readonly [string, string]): VastNames => ({ gpuName, skypilotName });

/**
 * Every card Davit knows. "H100" is the PCIe card at RunPod, and any H100 at Vast, as SkyPilot has it.
 *
 * Sources, read September and November 2026: RunPod's GPU types (https://docs.runpod.io/references/gpu-types) and REST v2
 * catalogue; SkyPilot's launch map (`sky/provision/runpod`), its catalogue fetchers (`sky/catalog/data_fetchers`) and its
 * hosted Vast catalogue (`catalogs/v8/vast/vms.csv`).
 */
export const ACCELERATORS: readonly Accelerator[] = [
  both('L4', 24, ['NVIDIA L4', 'L4', { pool: 'AMPERE_24' }], ['L4', 'L4']),
  both('L40', 48, ['NVIDIA L40', 'L40', { pool: 'ADA_48_PRO' }], ['L40', 'L40']),
  both('L40S', 48, ['NVIDIA L40S', 'L40S', { pool: 'ADA_48_PRO' }], ['L40S', 'L40S']),
  both('A30', 24, ['NVIDIA A30', 'A30'], ['A30', 'A30']),
  both('A40', 48, ['NVIDIA A40', 'A40', { pool: 'AMPERE_48' }], ['A40', 'A40']),
  both('A100-80GB', 80, ['NVIDIA A100 80GB PCIe', 'A100 PCIe', { pool: 'AMPERE_80' }], ['A100 PCIE', 'A100']),
  both('A100-80GB-SXM', 80, ['NVIDIA A100-SXM4-80GB', 'A100 SXM', { pool: 'AMPERE_80' }], ['A100 SXM4', 'A100']),
  both('H100', 80, ['NVIDIA H100 PCIe', 'H100 PCIe', { pool: 'ADA_80_PRO' }], ['H100 PCIE', 'H100']),
  both('H100-SXM', 80, ['NVIDIA H100 80GB HBM3', 'H100 SXM', { pool: 'ADA_80_PRO' }], ['H100 SXM', 'H100']),
  both('H100-NVL', 94, ['NVIDIA H100 NVL', 'H100 NVL'], ['H100 NVL', 'H100']),
  both('H200-SXM', 141, ['NVIDIA H200', 'H200 SXM', { pool: 'HOPPER_141' }], ['H200', 'H200']),
  both('NVIDIA-H200-NVL', 143, ['NVIDIA H200 NVL', 'NVIDIA H200 NVL', { launchName: null }], ['H200 NVL', 'H200']),
  both('B200', 180, ['NVIDIA B200', 'B200', { pool: 'BLACKWELL_180' }], ['B200', 'B200']),
  both('B300', 288, ['NVIDIA B300 SXM6 AC', 'B300', { launchName: null }]),
  both('MI300X', 192, ['AMD Instinct MI300X OAM', 'MI300X']),
  both('RTX3070', 8, ['NVIDIA GeForce RTX 3070', 'RTX 3070'], ['RTX 3070', 'RTX3070']),
  both('RTX3080', 10, ['NVIDIA GeForce RTX 3080', 'RTX 3080'], ['RTX 3080', 'RTX3080']),
  both(
    'RTX3080Ti',
    12,
    ['NVIDIA GeForce RTX 3080 Ti', 'RTX 3080 Ti', { catalogueName: 'RTX3080-Ti' }],
    ['RTX 3080 Ti', 'RTX3080'],
  ),
  both('RTX3090', 24, ['NVIDIA GeForce RTX 3090', 'RTX 3090', { pool: 'AMPERE_24' }], ['RTX 3090', 'RTX3090']),
  both(
    'RTX3090Ti',
    24,
    ['NVIDIA GeForce RTX 3090 Ti', 'RTX 3090 Ti', { catalogueName: 'RTX3090-Ti' }],
    ['RTX 3090 Ti', 'RTX3090'],
  ),
  both(
    'RTX4070Ti',
    12,
    ['NVIDIA GeForce RTX 4070 Ti', 'RTX 4070 Ti', { catalogueName: 'RTX4070-Ti' }],
    ['RTX 4070 Ti', 'RTX4070'],
  ),
  both('RTX4080', 16, ['NVIDIA GeForce RTX 4080', 'RTX 4080'], ['RTX 4080', 'RTX4080']),
  both(
    'RTX4080SUPER',
    16,
    ['NVIDIA GeForce RTX 4080 SUPER', 'RTX 4080 SUPER', { catalogueName: 'RTX4080-SUPER' }],
    ['RTX 4080S', 'RTX4080'],
  ),
  both('RTX4090', 24, ['NVIDIA GeForce RTX 4090', 'RTX 4090', { pool: 'ADA_24' }], ['RTX 4090', 'RTX4090']),
  both('RTX5080', 16, ['NVIDIA GeForce RTX 5080', 'RTX 5080'], ['RTX 5080', 'RTX5080']),
  both('RTX5090', 32, ['NVIDIA GeForce RTX 5090', 'RTX 5090', { pool: 'ADA_32_PRO' }], ['RTX 5090', 'RTX5090']),
  both(
    'RTX2000-Ada',
    16,
    ['NVIDIA RTX 2000 Ada Generation', 'RTX 2000 Ada', { pool: 'AMPERE_16' }],
    ['RTX 2000Ada', 'RTX2000-Ada'],
  ),
  both(
    'RTX4000-Ada',
    20,
    ['NVIDIA RTX 4000 Ada Generation', 'RTX 4000 Ada', { pool: 'AMPERE_16' }],
    ['RTX 4000Ada', 'RTX4000-Ada'],
  ),
  both('RTX4000-Ada-SFF', 20, ['NVIDIA RTX 4000 SFF Ada Generation', 'RTX 4000 Ada SFF']),
  both('RTX5000-Ada', 32, ['NVIDIA RTX 5000 Ada Generation', 'RTX 5000 Ada'], ['RTX 5000Ada', 'RTX5000-Ada']),
  both(
    'RTX6000-Ada',
    48,
    ['NVIDIA RTX 6000 Ada Generation', 'RTX 6000 Ada', { pool: 'ADA_48_PRO' }],
    ['RTX 6000Ada', 'RTX6000-Ada'],
  ),
  both('RTXA2000', 6, ['NVIDIA RTX A2000', 'RTX A2000'], ['RTX A2000', 'RTXA2000']),
  both('RTXA4000', 16, ['NVIDIA RTX A4000', 'RTX A4000', { pool: 'AMPERE_16' }], ['RTX A4000', 'RTXA4000']),
  both('RTXA4500', 20, ['NVIDIA RTX A4500', 'RTX A4500', { pool: 'AMPERE_16' }], ['RTX A4500', 'RTXA4500']),
  both('RTXA5000', 24, ['NVIDIA RTX A5000', 'RTX A5000', { pool: 'AMPERE_24' }], ['RTX A5000', 'RTXA5000']),
  both('RTXA6000', 48, ['NVIDIA RTX A6000', 'RTX A6000', { pool: 'AMPERE_48' }], ['RTX A6000', 'RTXA6000']),
  both('RTXPRO4500', 32, ['NVIDIA RTX PRO 4500 Blackwell', 'RTX PRO 4500']),
  both(
    'RTXPRO6000',
    96,
    ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'RTX PRO 6000', { pool: 'BLACKWELL_96' }],
    ['RTX PRO 6000 S', 'RTXPRO6000S'],
  ),
  both(
    'RTXPRO6000-WK',
    96,
    ['NVIDIA RTX PRO 6000 Blackwell Workstation Edition', 'RTX PRO 6000 WK', { pool: 'BLACKWELL_96' }],
    ['RTX PRO 6000 WS', 'RTXPRO6000WS'],
  ),
  both('RTXPRO6000-MaxQ', 96, [
    'NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition',
    'RTX PRO 6000 MaxQ',
    { launchName: null, pool: 'BLACKWELL_96' },
  ]),
  both('V100-16GB-PCIe', 16, ['Tesla V100-PCIE-16GB', 'Tesla V100', { catalogueName: 'Tesla-V100' }]),
  both('V100-16GB-SXM2', 16, ['Tesla V100-SXM2-16GB', 'V100 SXM2', { catalogueName: 'V100-SXM2' }]),
  both('V100-32GB-SXM2', 32, ['Tesla V100-SXM2-32GB', 'V100 SXM2 32GB', { catalogueName: 'V100-SXM2-32GB' }]),
  both('V100-16GB-FHHL', 16, ['Tesla V100-FHHL-16GB', null]),
  elsewhere('RTX3070Ti', 8, ['RTX 3070 Ti', 'RTX3070']),
  elsewhere('RTX4070', 12, ['RTX 4070', 'RTX4070'], ['RTX 4070S', 'RTX4070']),
  elsewhere('RTX4070TiSUPER', 16, ['RTX 4070S Ti', 'RTX4070']),
  elsewhere('RTX4090D', 24, ['RTX 4090D', 'RTX4090']),
  elsewhere('T4', 16, ['Tesla T4', 'T4']),
  elsewhere('V100', 16, ['Tesla V100', 'V100']),
  elsewhere('A10', 24, ['A10', 'A10']),
  elsewhere('A10G', 24),
  elsewhere('A100', 40),
  elsewhere('H200', 141),
];
