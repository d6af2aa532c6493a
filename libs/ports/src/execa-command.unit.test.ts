import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { execaCommandRunner as runner } from './execa-command.js';

const node = (script: string, extra: { timeoutMs?: number; maxBytes?: number; env?: Record<string, string> } = {}) =>
  runner.run({ file: process.execPath, args: ['-e', script], env: {}, timeoutMs: 10_000, ...extra });

/** A signal that cannot be ignored is delivered at once, and takes effect when the machine gets round to it. */
async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await setTimeout(20);
  }
}

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
  it('ends grandchildren at the deadline too, although each of them ignores SIGTERM', async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
    const spawn = (inner: string) =>
      `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], {stdio: ["ignore", "inherit", "ignore"]});`;
    const script = `${stubborn}${spawn(`${stubborn}console.log(process.pid);${spawn(`${stubborn}console.log(process.pid)`)}`)}`;
    const outcome = await node(script, { timeoutMs: 1_500 });
    expect(outcome.kind).toBe('timed-out');
    const pids = ('stdout' in outcome ? outcome.stdout : '').trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    await Promise.all(pids.map(untilGone));
  });
  it('gives a command that reads its input the end of it at once', async () => {
    const outcome = await node('process.stdin.on("end", () => console.log("end")).resume()');
    expect(outcome).toMatchObject({ kind: 'exited', stdout: 'end\n' });
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
