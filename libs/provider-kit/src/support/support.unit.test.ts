import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBackendRegistry } from '../registry.js';
import { ScriptedBackend } from '../testing/scripted-backend.js';
import { type Evidence, type SupportRow, supportMatrix, UnprovenSupportError } from './matrix.js';
import { SUPPORT, supportOf } from './rows.js';

const root = path.resolve(import.meta.dirname, '../../../..');
const row = (level: SupportRow['level'], ...evidence: Evidence[]): SupportRow => ({
  adapter: 'a',
  cloud: 'c',
  engine: 'e',
  level,
  evidence,
});
const simulated: Evidence = { kind: 'simulated', path: 'x', shows: '' };

describe('the support matrix', () => {
  test('names evidence that exists for every claim', () => {
    const paths = SUPPORT.flatMap(({ evidence }) => evidence.map((one) => one.path));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('holds each combination once', () => {
    const names = SUPPORT.map(({ adapter, cloud, engine }) => `${adapter} ${cloud} ${engine}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('refuses to call something shown on the real provider without a run there', () => {
    expect(() => supportMatrix([row('real-qualified', simulated)])).toThrow(UnprovenSupportError);
    expect(() => supportMatrix([row('real-qualified')])).toThrow('without a real run');
    expect(supportMatrix([row('real-qualified', { ...simulated, kind: 'real-run' })])).toHaveLength(1);
  });

  test('refuses to call something shown in simulation without a test there', () => {
    expect(() => supportMatrix([row('local-qualified')])).toThrow('without a simulated one');
    expect(supportMatrix([row('experimental')])).toHaveLength(1);
  });

  test('calls nothing shown on a real provider as long as no such run is recorded', () => {
    const runs = SUPPORT.filter(({ evidence }) => evidence.some(({ kind }) => kind === 'real-run'));
    expect(SUPPORT.filter(({ level }) => level === 'real-qualified')).toEqual(
      runs.filter(({ level }) => level === 'real-qualified'),
    );
    expect(runs).toEqual([]);
  });

  test('says what is claimed of a combination, on any cloud where the cloud does not matter', () => {
    expect(supportOf('skypilot', 'runpod', 'vllm').level).toBe('local-qualified');
    expect(supportOf('skypilot', 'aws', 'vllm')).toEqual({ level: 'experimental', evidence: [] });
    expect(supportOf('direct', null, 'vllm').level).toBe('local-qualified');
    expect(supportOf('skypilot', 'moon', 'vllm').level).toBe('unsupported');
  });

  test('is not changed by what is bound', () => {
    const backend = Object.assign(new ScriptedBackend(), { adapter: 'moonshot' });
    expect(createBackendRegistry([backend]).get('moonshot')).toBe(backend);
    expect(supportOf('moonshot', 'moon', 'vllm').level).toBe('unsupported');
  });
});
