/**
 * Accelerator names as SkyPilot writes them; the clouds that are known to rent each.
 * Source: SkyPilot's RunPod launch map and Vast catalogue, read September 2026.
 */
const NAMES_BY_CLOUD: Readonly<Record<string, readonly string[]>> = {
  runpod: (
    'L4 L40 L40S A30 A40 A100-80GB A100-80GB-SXM H100 H100-SXM H100-NVL H200-SXM B200 MI300X RTX3070 RTX3080 ' +
    'RTX3080Ti RTX3090 RTX3090Ti RTX4070Ti RTX4080 RTX4080SUPER RTX4090 RTX5080 RTX5090 RTX2000-Ada RTX4000-Ada ' +
    'RTX4000-Ada-SFF RTX5000-Ada RTX6000-Ada RTXA2000 RTXA4000 RTXA4500 RTXA5000 RTXA6000 RTXPRO4500 RTXPRO6000 ' +
    'RTXPRO6000-WK V100-16GB-PCIe V100-16GB-SXM2 V100-32GB-SXM2 V100-16GB-FHHL'
  ).split(' '),
  vast: (
    'L4 L40 L40S A40 A100-80GB A100-80GB-SXM H100 H100-SXM H100-NVL H200-SXM B200 RTX3090 RTX4090 RTX5090 ' +
    'RTX6000-Ada RTXA5000 RTXA6000 RTXPRO6000'
  ).split(' '),
};

const ANY_CLOUD = [...new Set([...Object.values(NAMES_BY_CLOUD).flat(), 'T4', 'V100', 'A10', 'A10G', 'A100', 'H200'])];

/** Names that may be asked for on `cloud`; a cloud without a table of its own accepts every name known anywhere. */
export const acceleratorNames = (cloud: string): readonly string[] => NAMES_BY_CLOUD[cloud] ?? ANY_CLOUD;
