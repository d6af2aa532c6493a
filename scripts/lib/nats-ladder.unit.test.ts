import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeNatsConfig } from './nats-config.mjs';
import { findNats, type Rung } from './nats-ladder.mjs';
import { checkDigest, debianStanza } from './nats-rungs.mjs';
import { atLeast, parseNatsVersion, probeNats } from './nats-version.mjs';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'davit-ladder-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A program that answers `--version` as a NATS server of that version does. */
function program(file: string, version: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho 'nats-server: v${version}'\n`);
  chmodSync(file, 0o755);
  return file;
}

const rung = (name: string, fetch: Rung['fetch'], unusable?: string): Rung => ({
  name,
  byHand: `${name} by hand`,
  unusable: () => unusable,
  fetch,
});

function find(env: NodeJS.ProcessEnv, rungs: readonly Rung[] = []): ReturnType<typeof findNats> {
  told = [];
  return findNats({ env, rungs, cache: path.join(dir, 'cache'), tell: (text) => void told.push(text) });
}
let told: string[] = [];

describe('finding a NATS server', () => {
  test('NATS_SERVER_BIN comes first', async () => {
    const own = program(path.join(dir, 'own', 'nats-server'), '2.11.0');
    program(path.join(dir, 'path', 'nats-server'), '2.12.0');
    const found = await find({ NATS_SERVER_BIN: own, PATH: path.join(dir, 'path') });
    expect(found).toEqual({ binary: own, version: [2, 11, 0], source: 'NATS_SERVER_BIN' });
  });

  test.each(['/no/such/file', '/bin/true'])(
    'NATS_SERVER_BIN=%s is an error, not a reason to look elsewhere',
    async (bin) => {
      program(path.join(dir, 'path', 'nats-server'), '2.12.0');
      const looking = find({ NATS_SERVER_BIN: bin, PATH: path.join(dir, 'path') });
      await expect(looking).rejects.toMatchObject({ code: 'nats-bin-unusable' });
      await expect(looking).rejects.toThrow(bin);
    },
  );

  test('one on the PATH is taken before the cache', async () => {
    const onPath = program(path.join(dir, 'path', 'nats-server'), '2.10.27');
    program(path.join(dir, 'cache', 'nats-server'), '2.12.0');
    expect((await find({ PATH: path.join(dir, 'path') })).binary).toBe(onPath);
  });

  test('one that is too old is passed over', async () => {
    program(path.join(dir, 'path', 'nats-server'), '2.9.9');
    const cached = program(path.join(dir, 'cache', 'nats-server'), '2.10.27');
    expect((await find({ PATH: path.join(dir, 'path') })).binary).toBe(cached);
  });

  test('one of the oldest usable version is used with a word of advice', async () => {
    program(path.join(dir, 'path', 'nats-server'), '2.9.10');
    await find({ PATH: path.join(dir, 'path') });
    expect(told.join()).toMatch(/2\.10\.0 or newer is recommended/);
  });

  test('ways to fetch are tried in order until one gives a usable program', async () => {
    const tried: string[] = [];
    const found = await find({ PATH: '' }, [
      rung('not here', async () => void tried.push('not here'), 'no such tool'),
      rung('fails', async () => {
        tried.push('fails');
        throw new Error('no network');
      }),
      rung('too old', async (target) => {
        tried.push('too old');
        program(target, '2.1.0');
      }),
      rung('works', async (target) => {
        tried.push('works');
        program(target, '2.10.27');
      }),
      rung('never', async () => void tried.push('never')),
    ]);
    expect(tried).toEqual(['fails', 'too old', 'works']);
    expect(found).toMatchObject({ source: 'works', binary: path.join(dir, 'cache', 'nats-server') });
  });

  test('what was fetched is found in the cache the next time, with nothing to fetch from', async () => {
    await find({ PATH: '' }, [rung('works', async (target) => void program(target, '2.10.27'))]);
    expect((await find({ PATH: '' })).source).toBe('cache');
  });

  test('when every way fails, the message gives each reason and each way to mend it', async () => {
    const looking = find({ PATH: '' }, [
      rung('first', async () => undefined, 'go not on this machine'),
      rung('second', async () => Promise.reject(new Error('did not finish within 120 s'))),
      rung('third', async () => undefined),
    ]);
    await expect(looking).rejects.toMatchObject({ code: 'nats-not-found' });
    const message = await looking.catch((error: unknown) => (error instanceof Error ? error.message : ''));
    for (const part of [
      'first: go not on this machine',
      'second: did not finish within 120 s',
      'third: it left no program behind',
      'first by hand',
      'third by hand',
      'NATS_SERVER_BIN',
      'NATS_URL',
    ]) {
      expect(message).toContain(part);
    }
  });
});

describe('versions', () => {
  test.each([
    ['nats-server: v2.10.27', [2, 10, 27]],
    ['nats-server: v2.9.10\n', [2, 9, 10]],
    ['nats-server: 2.11.0-RC.1', [2, 11, 0]],
    ['something else', undefined],
  ])('%j reads as %j', (text, version) => expect(parseNatsVersion(text)).toEqual(version));

  test.each([
    [[2, 9, 10], true],
    [[2, 9, 9], false],
    [[2, 10, 0], true],
    [[3, 0, 0], true],
    [[1, 99, 99], false],
  ])('%j is at least 2.9.10: %j', (version, expected) => expect(atLeast(version, [2, 9, 10])).toBe(expected));

  test('a program that is no NATS server is named with what it said', async () => {
    expect(await probeNats('/bin/echo')).toMatchObject({ ok: false, reason: expect.stringContaining('--version') });
  });
});

describe('settings of the server', () => {
  test.each([
    [[2, 9, 10], true, false],
    [[2, 10, 27], true, true],
    [[2, 10, 27], false, false],
  ])('version %j, durable %j: every write synced %j; loopback only', (version, durable, synced) => {
    const text = readFileSync(writeNatsConfig({ dir, port: 4222, version, durable }), 'utf8');
    expect(text.includes('sync_interval: always')).toBe(synced);
    expect(text).toContain('listen: "127.0.0.1:4222"');
  });
});

describe('the newer Debian suite', () => {
  const etc = (files: Record<string, string>): string => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
      writeFileSync(path.join(dir, name), text);
    }
    return dir;
  };

  test('comes from the main archive of the machine, never from its security archive', () => {
    const stanza = (suites: string): string =>
      `Types: deb\n# a snapshot\nURIs: http://archive.example/debian\nSuites: ${suites}\nComponents: main contrib\nSigned-By: /k.gpg\n`;
    const apt = etc({
      'sources.list.d/debian.sources': `${stanza('bookworm-security')}\n${stanza('bookworm bookworm-updates')}`,
    });
    expect(debianStanza(apt)).toBe(
      'Types: deb\nURIs: http://archive.example/debian\nSuites: trixie\nComponents: main\nSigned-By: /k.gpg\n',
    );
  });

  test('is read from the one-line form too', () => {
    const apt = etc({
      'sources.list':
        '# deb http://old.example/debian buster main\ndeb http://sec.example/debian-security bookworm-security main\ndeb [arch=amd64 signed-by=/k.gpg] http://archive.example/debian bookworm main contrib\n',
    });
    expect(debianStanza(apt)).toBe(
      'Types: deb\nURIs: http://archive.example/debian\nSuites: trixie\nComponents: main\nSigned-By: /k.gpg\n',
    );
  });

  test('does not apply to a machine without a Debian archive', () => {
    expect(debianStanza(etc({ 'sources.list': 'deb http://archive.example/ubuntu noble main\n' }))).toBeUndefined();
    expect(debianStanza(path.join(dir, 'absent'))).toBeUndefined();
  });

  test('a package with another digest than the pinned one is refused', () => {
    const file = path.join(dir, 'p.deb');
    writeFileSync(file, 'tampered');
    expect(() => checkDigest(file, 'a'.repeat(64))).toThrow(/has sha256/);
    expect(() => checkDigest(file, undefined)).not.toThrow();
  });
});
