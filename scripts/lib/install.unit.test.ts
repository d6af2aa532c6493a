import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { install } from './install.mjs';
import { checkNode, isSupportedNode } from './node-version.mjs';

let root: string;
let calls: number;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'davit-install-'));
  calls = 0;
  lock('1.0.0');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const packages = (version: string): string =>
  JSON.stringify({
    packages: { '': {}, 'libs/x': {}, 'node_modules/a': { version }, 'node_modules/o': { version, optional: true } },
  });

function lock(version: string): void {
  writeFileSync(path.join(root, 'package-lock.json'), packages(version));
}

/** What `npm ci` leaves behind, as far as the set-up looks at it. */
function present(version: string): void {
  mkdirSync(path.join(root, 'node_modules', 'a'), { recursive: true });
  const installed = JSON.stringify({ packages: { 'node_modules/a': { version } } });
  writeFileSync(path.join(root, 'node_modules', '.package-lock.json'), installed);
}

const run = (code = 0, output = ''): ReturnType<typeof install> =>
  install({
    root,
    tell: () => undefined,
    runNpm: async ([command]) => {
      if (command === 'ping') return { code: 0, output: '' };
      calls += 1;
      if (code === 0) present('1.0.0');
      return { code, output };
    },
  });

describe('installing packages', () => {
  test('happens once, and again when the lock file changed', async () => {
    expect(await run()).toBe('installed');
    expect(await run()).toBe('up to date');
    expect(calls).toBe(1);
    lock('1.1.0');
    expect(await run()).toBe('installed');
    expect(calls).toBe(2);
  });

  test('is not repeated after an npm ci by hand', async () => {
    present('1.0.0');
    await run();
    expect(calls).toBe(0);
  });

  test('happens again when the folder of a package is gone', async () => {
    await run();
    rmSync(path.join(root, 'node_modules', 'a'), { recursive: true });
    await run();
    expect(calls).toBe(2);
  });

  test('happens when what is there is of another version', async () => {
    present('0.9.0');
    await run();
    expect(calls).toBe(1);
  });

  test('without a network ends with advice, and is tried again the next time', async () => {
    await expect(run(1, 'npm error code ENOTFOUND')).rejects.toMatchObject({ code: 'install-offline' });
    expect(await run()).toBe('installed');
  });

  test('without a network uses only what npm has in its cache', async () => {
    const asked: string[][] = [];
    await install({
      root,
      tell: () => undefined,
      runNpm: async (args) => {
        asked.push(args);
        if (args[0] === 'ping') return { code: 1, output: 'npm error code EAI_AGAIN' };
        present('1.0.0');
        return { code: 0, output: '' };
      },
    });
    expect(asked.map((args) => args.includes('--offline'))).toEqual([false, true]);
  });

  test('that fails for another reason says so', async () => {
    await expect(run(1, 'npm error code EUSAGE')).rejects.toMatchObject({ code: 'install-failed' });
  });
});

describe('the version of Node', () => {
  test.each([
    ['18.20.4', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['v20.20.2', true],
    ['21.7.3', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['24.0.0', true],
  ])('%s is supported: %j', (version, expected) => expect(isSupportedNode(version)).toBe(expected));

  test('one that is not supported is refused with the range', () => {
    expect(() => checkNode('18.20.4')).toThrow(/Node 18\.20\.4.*20\.19.*22\.12/);
  });
});
