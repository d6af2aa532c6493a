/** A GPU type under RunPod's id and SkyPilot's name. */
export type RunpodGpu = {
  /** Sent to RunPod as it stands. */
  readonly id: string;
  readonly memoryGb: number;
  /** SkyPilot's launch name; null where SkyPilot cannot launch the type. */
  readonly accelerator: string | null;
};

const row = (id: string, memoryGb: number, accelerator: string | null): RunpodGpu => ({ id, memoryGb, accelerator });

/**
 * RunPod's GPU types. "H100" means the PCIe card there. Sources: RunPod's catalogue documentation and SkyPilot's launch map
 * (`sky/provision/runpod`), read September 2026.
 */
export const RUNPOD_GPUS: readonly RunpodGpu[] = [
  row('NVIDIA L4', 24, 'L4'),
  row('NVIDIA L40', 48, 'L40'),
  row('NVIDIA L40S', 48, 'L40S'),
  row('NVIDIA A30', 24, 'A30'),
  row('NVIDIA A40', 48, 'A40'),
  row('NVIDIA A100 80GB PCIe', 80, 'A100-80GB'),
  row('NVIDIA A100-SXM4-80GB', 80, 'A100-80GB-SXM'),
  row('NVIDIA H100 PCIe', 80, 'H100'),
  row('NVIDIA H100 80GB HBM3', 80, 'H100-SXM'),
  row('NVIDIA H100 NVL', 94, 'H100-NVL'),
  row('NVIDIA H200', 141, 'H200-SXM'),
  row('NVIDIA H200 NVL', 143, null),
  row('NVIDIA B200', 180, 'B200'),
  row('NVIDIA B300 SXM6 AC', 288, null),
  row('AMD Instinct MI300X OAM', 192, 'MI300X'),
  row('NVIDIA GeForce RTX 3070', 8, 'RTX3070'),
  row('NVIDIA GeForce RTX 3080', 10, 'RTX3080'),
  row('NVIDIA GeForce RTX 3080 Ti', 12, 'RTX3080Ti'),
  row('NVIDIA GeForce RTX 3090', 24, 'RTX3090'),
  row('NVIDIA GeForce RTX 3090 Ti', 24, 'RTX3090Ti'),
  row('NVIDIA GeForce RTX 4070 Ti', 12, 'RTX4070Ti'),
  row('NVIDIA GeForce RTX 4080', 16, 'RTX4080'),
  row('NVIDIA GeForce RTX 4080 SUPER', 16, 'RTX4080SUPER'),
  row('NVIDIA GeForce RTX 4090', 24, 'RTX4090'),
  row('NVIDIA GeForce RTX 5080', 16, 'RTX5080'),
  row('NVIDIA GeForce RTX 5090', 32, 'RTX5090'),
  row('NVIDIA RTX 2000 Ada Generation', 16, 'RTX2000-Ada'),
  row('NVIDIA RTX 4000 Ada Generation', 20, 'RTX4000-Ada'),
  row('NVIDIA RTX 4000 SFF Ada Generation', 20, 'RTX4000-Ada-SFF'),
  row('NVIDIA RTX 5000 Ada Generation', 32, 'RTX5000-Ada'),
  row('NVIDIA RTX 6000 Ada Generation', 48, 'RTX6000-Ada'),
  row('NVIDIA RTX A2000', 6, 'RTXA2000'),
  row('NVIDIA RTX A4000', 16, 'RTXA4000'),
  row('NVIDIA RTX A4500', 20, 'RTXA4500'),
  row('NVIDIA RTX A5000', 24, 'RTXA5000'),
  row('NVIDIA RTX A6000', 48, 'RTXA6000'),
  row('NVIDIA RTX PRO 4500 Blackwell', 32, 'RTXPRO4500'),
  row('NVIDIA RTX PRO 6000 Blackwell Server Edition', 96, 'RTXPRO6000'),
  row('NVIDIA RTX PRO 6000 Blackwell Workstation Edition', 96, 'RTXPRO6000-WK'),
  row('NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition', 96, null),
  row('Tesla V100-PCIE-16GB', 16, 'V100-16GB-PCIe'),
  row('Tesla V100-SXM2-16GB', 16, 'V100-16GB-SXM2'),
  row('Tesla V100-SXM2-32GB', 32, 'V100-32GB-SXM2'),
  row('Tesla V100-FHHL-16GB', 16, 'V100-16GB-FHHL'),
];

const BY_ACCELERATOR: ReadonlyMap<string, RunpodGpu> = new Map(
  RUNPOD_GPUS.flatMap((gpu) => (gpu.accelerator === null ? [] : [[gpu.accelerator, gpu] as const])),
);

/** The type that SkyPilot rents for an accelerator name; undefined for a name it cannot launch on RunPod. */
export const runpodGpuOf = (accelerator: string): RunpodGpu | undefined => BY_ACCELERATOR.get(accelerator);

/** Lists in the wild write some ids with two blanks (runpod/docs issue 633): compared after collapsing them. */
export const sameGpuId = (a: string, b: string): boolean => collapsed(a) === collapsed(b);
const collapsed = (id: string): string => id.replace(/\s+/g, ' ').trim();
