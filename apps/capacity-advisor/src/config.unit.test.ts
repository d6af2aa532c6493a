import { loadConfig } from '@davit/service-kit';
import { describe, expect, it } from '@jest/globals';
import { capacityAdvisorConfig, settingsOf } from './config.js';

const settings = (environment: Readonly<Record<string, string>>) =>
  settingsOf(loadConfig(capacityAdvisorConfig, environment), '/home/x');

describe('a key from the environment', () => {
  it('is used without the line end that files of secrets have', () => {
    expect(settings({ RUNPOD_API_KEY: 'rpa_abc\n', VAST_API_KEY: ' def ' })).toMatchObject({
      runpod: { apiKey: 'rpa_abc' },
      vast: { apiKey: 'def' },
    });
  });

  it('is none where it is empty', () => {
    expect(settings({ RUNPOD_API_KEY: '' }).runpod.apiKey).toBeUndefined();
  });

  it('law-13: that can stand in no header is refused at the start, and not shown', () => {
    expect(() => settings({ VAST_API_KEY: 'canary\nx-other: y' })).toThrow(
      'VAST_API_KEY: the value (not shown) is not usable.',
    );
  });
});
