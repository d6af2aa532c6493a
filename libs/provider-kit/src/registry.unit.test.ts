import { describe, expect, test } from '@jest/globals';
import { createBackendRegistry, DuplicateAdapterError } from './registry.js';
import { ScriptedBackend } from './testing/scripted-backend.js';

const backend = new ScriptedBackend();
const registry = createBackendRegistry([{ backend, clouds: ['runpod', 'aws'], engines: ['vllm'] }]);

describe('the registry of backends', () => {
  test('binds each adapter name once', () => {
    expect(registry.adapters).toEqual(['skypilot']);
    expect(registry.get('skypilot')).toBe(backend);
    expect(() => createBackendRegistry([backend, new ScriptedBackend()])).toThrow(DuplicateAdapterError);
  });

  test('resolves what a backend is bound for', () => {
    const bound = { outcome: 'bound', backend };
    expect(registry.resolve({ adapter: 'skypilot', cloud: 'aws', engine: 'vllm' })).toEqual(bound);
    expect(registry.resolve({ adapter: 'skypilot' })).toEqual(bound);
    expect(createBackendRegistry([backend]).resolve({ adapter: 'skypilot', cloud: 'moon' })).toEqual(bound);
  });

  test.each([
    [{ adapter: 'sky' }, '"sky" is no backend here; bound: skypilot'],
    [{ adapter: 'skypilot', cloud: 'moon' }, '"moon" is no cloud of skypilot here; bound: aws, runpod'],
    [{ adapter: 'skypilot', cloud: 'aws', engine: 'tgi' }, '"tgi" is no engine of skypilot here; bound: vllm'],
  ])('refuses %o with the choices', (wanted, detail) => {
    expect(registry.resolve(wanted)).toEqual({ outcome: 'refused', detail });
  });

  test('keeps serving a replica by the adapter stored on it, whatever its cloud', () => {
    expect(registry.get('skypilot')).toBe(backend);
    expect(registry.get('vast-serverless')).toBeUndefined();
  });
});
