import { describe, expect, test } from '@jest/globals';
import { readManifest } from './manifest.js';

describe('a specification that is pasted', () => {
  test('is read as YAML, and so as JSON', () => {
    expect(readManifest('kind: Deployment\nspec: { a: [1] }')).toEqual({
      ok: true,
      manifest: { kind: 'Deployment', spec: { a: [1] } },
    });
    expect(readManifest('{"kind":"Deployment"}')).toEqual({ ok: true, manifest: { kind: 'Deployment' } });
  });

  test.each([
    ['kind: [', 'line 1', 'is not valid YAML'],
    ['a: 1\na: 2', 'line 2', 'unique'],
    ['a: 1\n---\nb: 2', '', 'holds several documents'],
    ['# nothing', '', 'is empty'],
    ['x'.repeat(300_000), '', 'larger than 256 KiB'],
  ])('is told what is wrong with it, and where: %.20s', (text, path, message) => {
    const read = readManifest(text);
    expect(read).toMatchObject({ ok: false, problems: [{ path }] });
    expect(read.ok ? '' : read.problems[0]?.message).toContain(message);
  });
});
