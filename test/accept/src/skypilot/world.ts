import type { WorldProcess } from '@davit/test-support';

/** One GPU of one place, in the columns of SkyPilot's catalogue files, so that the client needs no catalogue from afar. */
const CATALOGUE = [
  'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Region,SpotPrice,Price,AvailabilityZone',
  `1x_L40S_SECURE,L40S,1.0,16.0,48.0,"{'Gpus': [{'Name': 'L40S', 'Count': 1.0, 'MemoryInfo': {'SizeInMiB': 49152}}], 'TotalGpuMemoryInMiB': 49152}",US,0.40,0.86,US-TX-3`,
  '',
].join('\n');

/** Files that make a home in which SkyPilot finds RunPod enabled, by path. */
export const accountFiles = (world: WorldProcess): Readonly<Record<string, string>> => ({
  '.runpod/config.toml': `[default]\napi_key = "${world.keys.runpod}"\n`,
  ...CATALOGUE_FILES,
});

/** The catalogue alone: a home without an account. */
export const CATALOGUE_FILES: Readonly<Record<string, string>> = {
  '.sky/catalogs/v8/runpod/vms.csv': CATALOGUE,
  '.sky/catalogs/v8/common/accelerators.csv': 'AcceleratorName,Clouds\nL40S,RunPod\n',
  '.sky/catalogs/v8/common/metadata.csv': 'GPU,Memory\nL40S,48\n',
};

interface LedgerReport {
  readonly running: number;
  readonly everCreated: number;
}

export const ledgerOf = async (world: WorldProcess): Promise<LedgerReport> =>
  // The world's own report.
  (await world.control('GET', '/ledger')) as LedgerReport;
