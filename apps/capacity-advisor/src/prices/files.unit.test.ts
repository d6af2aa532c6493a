import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MAX_TEXT_BYTES, nodeFiles } from './files.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'davit-prices-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('a small file', () => {
  const written = async (content: string): Promise<string> => {
    const file = path.join(directory, 'prices.yaml');
    await writeFile(file, content);
    return file;
  };

  it('is read whole', async () => {
    const content = '#'.repeat(MAX_TEXT_BYTES);
    expect(await nodeFiles.text(await written(content))).toBe(content);
  });

  it('is refused by its size, before anything of it is read', async () => {
    const file = await written('#'.repeat(MAX_TEXT_BYTES + 1));
    await expect(nodeFiles.text(file)).rejects.toThrow(`${MAX_TEXT_BYTES + 1} bytes`);
  });

  it('is refused where it is none: of a device there is no end', async () => {
    await expect(nodeFiles.text('/dev/zero')).rejects.toThrow('is no plain file');
    await expect(nodeFiles.text(directory)).rejects.toThrow('is no plain file');
  });
});
