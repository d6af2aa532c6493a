import { describe, expect, it } from '@jest/globals';
import { execaCommandRunner as runner } from './execa-command.js';

const node = (script: string, extra: { timeoutMs?: number; maxBytes?: number; env?: Record<string, string> } = {}) =>
  runner.run({ file: process.execPath, args: ['-e', script], env: {}, timeoutMs: 10_000, ...extra });

describe('running a command', () => {
  it('gives exit code and both outputs', async () => {
    expect(await node('console.log("out"); console.error("err"); process.exit(3)')).toEqual({
      kind: 'exited',
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });
  it('passes only the environment it was given', async () => {
    const outcome = await node('console.log(Object.keys(process.env).join())', { env: { ONLY: '1' } });
    expect(outcome).toMatchObject({ kind: 'exited', stdout: 'ONLY\n' });
  });
  it('ends a command that ignores SIGTERM, and its children, at the deadline', async () => {
    const script =
      'process.on("SIGTERM", () => {}); const c = require("child_process").spawn("sleep", ["600"], {stdio:"ignore"}); console.log(c.pid); setInterval(() => {}, 1000)';
    const outcome = await node(script, { timeoutMs: 300, env: { PATH: process.env['PATH'] ?? '' } });
    expect(outcome.kind).toBe('timed-out');
    const childPid = Number('stdout' in outcome ? outcome.stdout : NaN);
    expect(childPid).toBeGreaterThan(0);
    expect(() => process.kill(childPid, 0)).toThrow();
  });
  it('does not wait for a daemon that the command left behind with its outputs', async () => {
    const script =
      'const c = require("child_process").spawn("sleep", ["600"], {stdio: "inherit", detached: true}); c.unref(); console.log(c.pid); process.exit(3)';
    const outcome = await node(script, { timeoutMs: 20_000, env: { PATH: process.env['PATH'] ?? '' } });
    const daemonPid = Number('stdout' in outcome ? outcome.stdout : NaN);
    process.kill(daemonPid, 'SIGKILL'); // throws if the daemon had been waited for or ended
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 3 });
  });
  it('tells a command that was killed by somebody else from one that exited', async () => {
    expect(await node('process.kill(process.pid, "SIGKILL")')).toMatchObject({ kind: 'killed', signal: 'SIGKILL' });
  });
  it('gives up on output past the cap', async () => {
    expect(await node('process.stdout.write("x".repeat(1e6))', { maxBytes: 1_000 })).toEqual({ kind: 'too-large' });
  });
  it('says when the program does not exist', async () => {
    expect(await runner.run({ file: '/no/such/program', args: [], env: {}, timeoutMs: 1_000 })).toMatchObject({
      kind: 'not-started',
    });
  });
});
