/** One GPU type under the names that each of the outside's parties has for it. */
export interface GpuType {
  /** RunPod's id. */
  readonly id: string;
  /** RunPod's display name. */
  readonly name: string;
  /** SkyPilot's launch name on RunPod; for types it cannot launch, the name that its catalogue shows. */
  readonly accelerator: string;
  /** The name in Vast's offers. */
  readonly vastName: string;
  /** The name under which SkyPilot's catalogue lists the type at Vast: variants of a card share one. */
  readonly vastAccelerator: string;
  readonly memoryGb: number;
  readonly pool: string | null;
  readonly manufacturer: 'NVIDIA' | 'AMD';
  /** List prices, USD an hour for one GPU. */
  readonly securePrice: number;
  readonly communityPrice: number;
  readonly maxCount: number;
}

const gpu = (
  id: string,
  name: string,
  accelerator: string,
  memoryGb: number,
  pool: string | null,
  securePrice: number,
  communityPrice: number,
  { vast = name, maxCount = 8 }: { readonly vast?: string; readonly maxCount?: number } = {},
): GpuType => ({
  id,
  name,
  accelerator,
  vastName: vast,
  vastAccelerator: vastAcceleratorOf(vast),
  memoryGb,
  pool,
  manufacturer: id.startsWith('AMD') ? 'AMD' : 'NVIDIA',
  securePrice,
  communityPrice,
  maxCount,
});

/** As SkyPilot's fetcher shortens Vast's names: `H100 SXM` → `H100`, `RTX 6000Ada` → `RTX6000-Ada`, `RTX 4090` → `RTX4090`. */
const vastAcceleratorOf = (vastName: string): string =>
  vastName
    .replace(/ (SXM\d?|PCIE|NVL)$/, '')
    .replace(/^Tesla /, '')
    .replace(/(\d)Ada/, '$1-Ada')
    .replaceAll(' ', '');

/**
 * Names after RunPod's catalogue, SkyPilot's launch map and Vast's offers; prices are of this world, in the order of the real
 * ones.
 */
export const GPU_TYPES: readonly GpuType[] = [
  gpu('NVIDIA L4', 'L4', 'L4', 24, 'AMPERE_24', 0.43, 0.34),
  gpu('NVIDIA L40', 'L40', 'L40', 48, 'ADA_48_PRO', 0.99, 0.69),
  gpu('NVIDIA L40S', 'L40S', 'L40S', 48, 'ADA_48_PRO', 0.86, 0.79),
  gpu('NVIDIA A30', 'A30', 'A30', 24, null, 0.38, 0.22),
  gpu('NVIDIA A40', 'A40', 'A40', 48, 'AMPERE_48', 0.4, 0.35),
  gpu('NVIDIA A100 80GB PCIe', 'A100 PCIe', 'A100-80GB', 80, 'AMPERE_80', 1.64, 1.19, { vast: 'A100 PCIE' }),
  gpu('NVIDIA A100-SXM4-80GB', 'A100 SXM', 'A100-80GB-SXM', 80, 'AMPERE_80', 1.74, 1.39, { vast: 'A100 SXM4' }),
  gpu('NVIDIA H100 PCIe', 'H100 PCIe', 'H100', 80, 'ADA_80_PRO', 2.39, 1.99, { vast: 'H100 PCIE' }),
  gpu('NVIDIA H100 80GB HBM3', 'H100 SXM', 'H100-SXM', 80, 'ADA_80_PRO', 2.69, 2.69),
  gpu('NVIDIA H100 NVL', 'H100 NVL', 'H100-NVL', 94, null, 2.79, 2.59),
  gpu('NVIDIA H200', 'H200 SXM', 'H200-SXM', 141, 'HOPPER_141', 3.59, 3.59, { vast: 'H200' }),
  gpu('NVIDIA H200 NVL', 'NVIDIA H200 NVL', 'NVIDIA-H200-NVL', 143, null, 3.39, 3.19, { vast: 'H200 NVL' }),
  gpu('NVIDIA B200', 'B200', 'B200', 180, 'BLACKWELL_180', 5.19, 4.99),
  gpu('NVIDIA B300 SXM6 AC', 'B300', 'B300', 288, null, 6.99, 6.79),
  gpu('AMD Instinct MI300X OAM', 'MI300X', 'MI300X', 192, null, 2.49, 1.99),
  gpu('NVIDIA GeForce RTX 3080', 'RTX 3080', 'RTX3080', 10, null, 0.27, 0.17, { maxCount: 4 }),
  gpu('NVIDIA GeForce RTX 3090', 'RTX 3090', 'RTX3090', 24, 'AMPERE_24', 0.46, 0.22),
  gpu('NVIDIA GeForce RTX 4090', 'RTX 4090', 'RTX4090', 24, 'ADA_24', 0.59, 0.34),
  gpu('NVIDIA GeForce RTX 5090', 'RTX 5090', 'RTX5090', 32, 'ADA_32_PRO', 0.89, 0.69),
  gpu('NVIDIA RTX 6000 Ada Generation', 'RTX 6000 Ada', 'RTX6000-Ada', 48, 'ADA_48_PRO', 0.77, 0.74, {
    vast: 'RTX 6000Ada',
  }),
  gpu('NVIDIA RTX A4000', 'RTX A4000', 'RTXA4000', 16, 'AMPERE_16', 0.25, 0.17),
  gpu('NVIDIA RTX A5000', 'RTX A5000', 'RTXA5000', 24, 'AMPERE_24', 0.27, 0.16),
  gpu('NVIDIA RTX A6000', 'RTX A6000', 'RTXA6000', 48, 'AMPERE_48', 0.49, 0.33),
  gpu('NVIDIA RTX PRO 6000 Blackwell Server Edition', 'RTX PRO 6000', 'RTXPRO6000', 96, 'BLACKWELL_96', 1.89, 1.69, {
    vast: 'RTX PRO 6000 S',
  }),
  gpu('Tesla V100-PCIE-16GB', 'Tesla V100', 'V100-16GB-PCIe', 16, null, 0.29, 0.19),
];

export interface DataCenter {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly region: 'NORTH_AMERICA' | 'EUROPE' | 'ASIA';
}

export const DATA_CENTERS: readonly DataCenter[] = [
  { id: 'US-KS-2', name: 'US Kansas 2', country: 'US', region: 'NORTH_AMERICA' },
  { id: 'US-TX-3', name: 'US Texas 3', country: 'US', region: 'NORTH_AMERICA' },
  { id: 'CA-MTL-1', name: 'CA Montreal 1', country: 'CA', region: 'NORTH_AMERICA' },
  { id: 'EU-RO-1', name: 'EU Romania 1', country: 'RO', region: 'EUROPE' },
  { id: 'EUR-IS-1', name: 'EU Iceland 1', country: 'IS', region: 'EUROPE' },
  { id: 'AP-JP-1', name: 'AP Japan 1', country: 'JP', region: 'ASIA' },
];

/** Blanks and underscores are made one blank before names are compared, since lists in the wild disagree on them. */
const squeezed = (id: string): string =>
  id
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase();

/** A GPU type by any of its names. */
export const gpuByName = (name: string): GpuType | undefined =>
  GPU_TYPES.find((type) =>
    [type.id, type.name, type.accelerator, type.vastName].some((known) => squeezed(known) === squeezed(name)),
  );
