import { execa } from 'execa';
import type { CommandOutcome, CommandRequest, CommandRunner } from './command.js';

const KILL_GRACE_MS = 2_000;
/** For output still in the pipes when the command has ended; a daemon that it left behind may hold them open for ever. */
const PIPE_GRACE_MS = 500;

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
  const deadline = new AbortController();
  const terminate = setTimeout(() => {
    deadline.abort();
    signalGroup(child.pid, 'SIGTERM');
  }, request.timeoutMs);
  const kill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), request.timeoutMs + KILL_GRACE_MS);
  let closePipes: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    closePipes = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, PIPE_GRACE_MS);
  });
  try {
    return outcomeOf(await child, deadline.signal.aborted);
  } finally {
    clearTimeout(terminate);
    clearTimeout(kill);
    clearTimeout(closePipes);
    if (deadline.signal.aborted) signalGroup(child.pid, 'SIGKILL');
  }
}

/** The parts of execa's result that matter here. */
interface Ended {
  readonly stdout?: unknown;
  readonly stderr?: unknown;
  readonly isMaxBuffer: boolean;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly shortMessage?: string | undefined;
}

function outcomeOf(result: Ended, timedOut: boolean): CommandOutcome {
  const stdout = textOf(result.stdout);
  const stderr = textOf(result.stderr);
  if (timedOut) return { kind: 'timed-out', stdout, stderr };
  if (result.isMaxBuffer) return { kind: 'too-large' };
  if (result.exitCode !== undefined) return { kind: 'exited', exitCode: result.exitCode, stdout, stderr };
  if (result.signal !== undefined) return { kind: 'killed', signal: result.signal, stdout, stderr };
  return { kind: 'not-started', detail: result.shortMessage ?? 'no exit code' };
}

const textOf = (output: unknown): string => (typeof output === 'string' ? output : '');

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is already gone, which is what was wanted.
  }
}
