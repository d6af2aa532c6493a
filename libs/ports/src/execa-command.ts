import { execa } from 'execa';
import type { CommandOutcome, CommandRequest, CommandRunner } from './command.js';

const KILL_GRACE_MS = 2_000;

/** Runs commands as leaders of their own process group, so that a deadline ends their children too. */
export const execaCommandRunner: CommandRunner = { run };

async function run(request: CommandRequest): Promise<CommandOutcome> {
  const child = execa(request.file, request.args, {
    env: request.env,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    detached: true,
    cleanup: true,
    stripFinalNewline: false,
    maxBuffer: request.maxBytes ?? 8 * 1024 * 1024,
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
  });
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    signalGroup(child.pid, 'SIGTERM');
  }, request.timeoutMs);
  const lastResort = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), request.timeoutMs + KILL_GRACE_MS);
  try {
    const result = await child;
    const stdout = result.stdout ?? '';
    const stderr = result.stderr ?? '';
    if (timedOut) return { kind: 'timed-out', stdout, stderr };
    if (result.isMaxBuffer) return { kind: 'too-large' };
    const exitCode: number | undefined = result.exitCode;
    const signal: string | undefined = result.signal;
    if (exitCode !== undefined) return { kind: 'exited', exitCode, stdout, stderr };
    if (result.isTerminated) return { kind: 'killed', signal: signal ?? 'unknown', stdout, stderr };
    return { kind: 'not-started', detail: result.shortMessage ?? 'no exit code' };
  } finally {
    clearTimeout(deadline);
    clearTimeout(lastResort);
    if (timedOut) signalGroup(child.pid, 'SIGKILL');
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is already gone, which is what was wanted.
  }
}
