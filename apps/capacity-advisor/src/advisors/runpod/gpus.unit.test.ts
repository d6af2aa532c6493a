import { describe, expect, it } from '@jest/globals';
import { RUNPOD_GPUS, runpodGpuOf, sameGpuId } from './gpus.js';
import { questionFor, urlOf } from './question.js';

describe('names of GPU types at RunPod', () => {
  it.each([
    ['L40S', 'NVIDIA L40S', 48],
    ['H100', 'NVIDIA H100 PCIe', 80],
    ['H100-SXM', 'NVIDIA H100 80GB HBM3', 80],
    ['A100-80GB', 'NVIDIA A100 80GB PCIe', 80],
    ['RTX4090', 'NVIDIA GeForce RTX 4090', 24],
    ['RTX6000-Ada', 'NVIDIA RTX 6000 Ada Generation', 48],
    ['MI300X', 'AMD Instinct MI300X OAM', 192],
    ['V100-16GB-FHHL', 'Tesla V100-FHHL-16GB', 16],
  ])('%s is %s with %i GB', (accelerator, id, memoryGb) => {
    expect(runpodGpuOf(accelerator)).toEqual({ id, memoryGb, accelerator });
  });

  it('are unique under either name', () => {
    expect(new Set(RUNPOD_GPUS.map(({ id }) => id)).size).toBe(RUNPOD_GPUS.length);
    const accelerators = RUNPOD_GPUS.flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(accelerators).size).toBe(accelerators.length);
  });

  it('are not guessed: a name that SkyPilot cannot launch has no id', () => {
    expect(runpodGpuOf('B300')).toBeUndefined();
    expect(runpodGpuOf('l40s')).toBeUndefined();
  });

  it('are the same whatever the number of blanks in them', () => {
    expect(sameGpuId('NVIDIA  RTX A4500', 'NVIDIA RTX A4500')).toBe(true);
    expect(sameGpuId('NVIDIA RTX A4500', 'NVIDIA RTX A4000')).toBe(false);
  });
});

describe('the question put to RunPod', () => {
  const question = (region: string | null) => {
    const accelerator = { name: 'RTX4090', count: 2 };
    const asked = questionFor({ cloud: 'runpod', region, accelerator, spot: false, maxHourlyPrice: '1' });
    return 'question' in asked ? urlOf('https://api.example/', asked.question) : asked.impossible;
  };

  it('names product, count and cloud, and escapes the id', () => {
    expect(question(null)).toBe(
      'https://api.example/v2/catalog/gpus/NVIDIA%20GeForce%20RTX%204090?include=AVAILABILITY&product=POD&count=2&cloud=SECURE',
    );
  });

  it('names a country when the placement does, and nothing that RunPod would reject', () => {
    expect(question('RO')).toContain('&countryCodes=RO');
    expect(question('EU-RO-1')).not.toContain('countryCodes');
    expect(question('us-east')).not.toContain('countryCodes');
  });

  it('cannot be put for a placement without GPU or with an unmapped one', () => {
    const base = { cloud: 'runpod', region: null, spot: false, maxHourlyPrice: null };
    expect(questionFor({ ...base, accelerator: null })).toHaveProperty('impossible');
    expect(questionFor({ ...base, accelerator: { name: 'T4', count: 1 } })).toHaveProperty('impossible');
  });
});
