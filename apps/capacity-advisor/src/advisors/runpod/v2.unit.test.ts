import { describe, expect, it } from '@jest/globals';
import { questionOf } from '../testing/golden.js';
import { questionFor } from './question.js';
import { urlOf } from './v2.js';

describe('the question put to the catalogue of REST v2', () => {
  const question = (region: string | null) => {
    const asked = questionFor(questionOf('runpod', { accelerator: 'RTX4090:2', ...(region ? { region } : {}) }));
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

  it('cannot be put for a placement without GPU or with an unmapped one, and says which names are near', () => {
    const { placement, diskGiB } = questionOf('runpod');
    expect(questionFor({ placement: { ...placement, accelerator: null }, diskGiB })).toHaveProperty('impossible');
    const unmapped = questionFor(questionOf('runpod', { accelerator: 'RTX3080-Ti:1' }));
    expect(unmapped).toEqual({ impossible: expect.stringMatching(/^no mapping: .*RTX3080Ti/) });
  });
});
