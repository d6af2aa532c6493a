import { describe, expect, test } from '@jest/globals';
import type { InstanceRow } from '../../vast/api/instances.js';
import type { JoinedWorker } from '../../vast/joined.js';
import { NOTHING_LEARNT, standingOf } from './standing.js';

const template = (id: number, hash: string) => ({ id, hash, image: 'vllm/vllm-openai:v0.11.0', imageIsNew: false });
const KNOWN = {
  templates: { old: template(1, 'old'), candidate: template(2, 'new') },
  ...{ capabilities: NOTHING_LEARNT, probed: new Map() },
};
const TOUCHED_MS = 100_000;
const TAKEN_MS = 200_000;
const at = (ms: number): string => new Date(ms).toISOString();

/** A worker at rest that has loaded between the change and the way back. */
const worker = (hash: string): JoinedWorker =>
  ({
    ...{ id: 7, status: 'idle', loadedAtMs: 150_000, requestsWorking: 0 },
    instance: { template_id: hash === 'old' ? 1 : 2, template_hash_id: hash, image_uuid: 'x' } as InstanceRow,
  }) as JoinedWorker; // only what is read

const on = (hash: string, stayed: Readonly<Record<string, string | null>>): string => {
  const back = { takenMs: TAKEN_MS, stayed, wasNotChanged: false };
  return standingOf(worker(hash), KNOWN, { touchedMs: TOUCHED_MS, back }).view.on;
};

describe('a worker that loaded while production changed, on the way back', () => {
  test('is on the old template where its record was the old one before it had loaded, and is so still', () => {
    expect(on('old', { 7: null })).toBe('old');
  });
  test('is on the old template where it had loaded before, and has not since', () => {
    expect(on('old', { 7: at(150_000) })).toBe('old');
  });
  test.each([
    ['nobody saw on the old one by a record that moves', {}],
    ['had loaded before and has loaded again since', { 7: at(120_000) }],
  ])('is on nothing that is known where it %s', (_, stayed) => {
    expect(on('old', stayed)).toBe('unknown');
  });
  test('is on the candidate where its record is', () => {
    expect(on('new', { 7: null })).toBe('candidate');
  });
});
