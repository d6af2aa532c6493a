import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execaCommandRunner } from '@davit/ports';
import { SkyCli } from './cli.js';
import { DEFAULT_SKY_SETTINGS, DEFAULT_SKY_TIMEOUTS } from './settings.js';

/** Compiled, never run: what is not in the table cannot be asked of `sky`. */
export function notInTheTable(cli: SkyCli): readonly unknown[] {
  // @ts-expect-error no such call
  const unknownCall: unknown = () => cli.run('purge', ['a']);
  // @ts-expect-error the words of another call
  const otherWords: unknown = () => cli.run('find-address', ['a']);
  return [unknownCall, otherWords];
}

/** What a real process sees that stands where `sky` stands. */
describe('a run of sky as a real process', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'sky-home-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  const cliOf = async (script: string, statusMs = 20_000): Promise<SkyCli> => {
    const binary = path.join(home, 'sky');
    await writeFile(binary, `#!${process.execPath}\n${script}\n`);
    await chmod(binary, 0o700);
    const timeouts = { ...DEFAULT_SKY_TIMEOUTS, statusMs };
    const place = { binary, home, path: '/usr/bin:/bin', userId: '0badcafe', timeouts };
    return new SkyCli(execaCommandRunner, { ...DEFAULT_SKY_SETTINGS, ...place });
  };

  test('has a home and a folder of its own, and nothing of ours in its environment', async () => {
    process.env['DAVIT_CANARY'] = 'canary';
    const cli = await cliOf('console.log(JSON.stringify([process.env.HOME, process.cwd(), Object.keys(process.env)]))');
    const reply = await cli.run('list-clusters', []);
    delete process.env['DAVIT_CANARY'];
    expect(reply.kind).toBe('ok');
    const [homeOf, folder, names] = JSON.parse(reply.kind === 'ok' ? reply.stdout : '[]') as [string, string, string[]];
    expect([homeOf, folder]).toEqual([home, home]);
    const given = ['HOME', 'LANG', 'PATH', 'SKYPILOT_DISABLE_USAGE_COLLECTION', 'SKYPILOT_USER', 'SKYPILOT_USER_ID'];
    expect(names.filter((name) => !name.startsWith('__')).toSorted()).toEqual(given);
  });

  test('gets its words as they are, past any shell', async () => {
    const cli = await cliOf('console.log(JSON.stringify(process.argv.slice(2)))');
    const reply = await cli.run('down', ['$(touch x); `id` *']);
    expect(reply.kind === 'ok' && JSON.parse(reply.stdout)).toEqual(['down', '-y', '$(touch x); `id` *']);
  });

  test('is asked nothing: a prompt meets the end of its input', async () => {
    const cli = await cliOf('process.stdin.on("end", () => { console.error("Aborted!"); process.exit(1); }).resume()');
    expect(await cli.run('list-clusters', [])).toMatchObject({ kind: 'failed', verdict: { class: 'unknown' } });
  });

  test('is ended at its deadline although it ignores SIGTERM, which says nothing of what it did', async () => {
    const cli = await cliOf('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', 400);
    expect(await cli.run('list-clusters', [])).toEqual({
      kind: 'lost',
      detail: 'sky status did not end within 400 ms',
    });
  });

  test('that prints without end is no answer', async () => {
    const cli = await cliOf(
      'const line = "x".repeat(65536); setInterval(() => { for (let i = 0; i < 64; i++) console.log(line); }, 1)',
    );
    expect(await cli.run('list-clusters', [])).toMatchObject({ kind: 'lost' });
  });

  test('law-13: what it prints when it fails holds no secret of that call', async () => {
    const cli = await cliOf('console.error("ValueError: bad token " + process.env.HF_TOKEN); process.exit(1)');
    const reply = await cli.run('launch', ['a', ['HF_TOKEN'], 'f.yaml'], { secrets: { HF_TOKEN: 'canary-77' } });
    expect(reply.kind).toBe('failed');
    expect(JSON.stringify(reply)).not.toContain('canary-77');
  });
});
