import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const DAVIT = fileURLToPath(new URL('../../../apps/cli/bin/davit.mjs', import.meta.url));

export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that is still running. */
export interface RunningCli {
  /** What it has printed to standard output so far. */
  stdout(): string;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<CliResult>;
}

/** Starts `davit` as a person would, against the front door at `url`. */
export function startCli(url: string, args: readonly string[], input = ''): RunningCli {
  const child = spawn(process.execPath, [DAVIT, ...args], {
    env: { PATH: process.env['PATH'], DAVIT_URL: url, DAVIT_ACTOR: 'e2e' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A command that does not read its input closes it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = once(child, 'close').then(() => ({ exitCode: child.exitCode, stdout, stderr }));
  return { stdout: () => stdout, signal: (name) => endable(child) && child.kill(name), ended };
}

/** Runs `davit` to its end. */
export const davit = (url: string, args: readonly string[], input?: string): Promise<CliResult> =>
  startCli(url, args, input).ended;

const endable = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;
