import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readManifest } from './manifest.js';

const folder = mkdtempSync(path.join(tmpdir(), 'davit-manifest-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function read(text: string): unknown {
  const file = path.join(folder, 'x.yaml');
  writeFileSync(file, text);
  return readManifest(file);
}

describe('a specification file', () => {
  test('may be YAML or JSON', () => {
    expect(read('a: [1, x]')).toEqual({ a: [1, 'x'] });
    expect(read('{"a": [1, "x"]}')).toEqual({ a: [1, 'x'] });
  });

  test.each([
    ['is empty', '# nothing\n', /is empty\. Write a deployment/],
    ['holds several documents', 'a: 1\n---\nb: 1\n', /several documents\. Write one deployment per file/],
    ['has a key twice', 'a: 1\na: 2\n', /Map keys must be unique at line 2/],
    [
      'has a number that is none',
      'spec: {scaling: [{replicas: .nan}]}',
      /spec\.scaling\[0\]\.replicas: is not a finite/,
    ],
    ['has a number without end', 'spec: {price: 1e400}', /spec\.price: is not a finite number/],
    ['holds itself', 'spec: &s {a: *s}', /spec\.a: holds itself/],
    ['is larger than any specification', `a: ${'x'.repeat(300_000)}`, /larger than 256 KiB/],
  ])('that %s is refused with the remedy', (_what, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test('that never ends is refused, not waited for', () => {
    expect(() => readManifest('/dev/zero')).toThrow(/larger than 256 KiB/);
  });

  test('that cannot be read is named', () => {
    expect(() => readManifest(folder)).toThrow(/cannot read .*: it is a directory/);
  });
});
