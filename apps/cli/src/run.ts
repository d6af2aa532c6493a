import { CommanderError } from 'commander';
import { CommandError, type ExitCode, exitCodes } from './exit-codes.js';
import { UnknownKindError, buildProgram } from './program.js';

/** Runs one command line; returns the exit code. Never throws. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  try {
    await buildProgram().parseAsync([...argv], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error, argv.includes('--json'));
  }
}

function report(error: unknown, json: boolean): ExitCode {
  if (error instanceof CommanderError) return reportUsage(error, json);
  const known = error instanceof CommandError ? error : undefined;
  const exitCode = known?.exitCode ?? (error instanceof UnknownKindError ? exitCodes.badInput : exitCodes.failure);
  const message = error instanceof Error ? error.message : String(error);
  if (json) process.stdout.write(`${JSON.stringify({ error: { exitCode, message, ...known?.details } })}\n`);
  else process.stderr.write(`${message}${exitCode === exitCodes.ok ? '' : ` (exit ${exitCode})`}\n`);
  return exitCode;
}

/** Commander has already told people, on standard error, or printed the help that was asked for. */
function reportUsage({ exitCode, message }: CommanderError, json: boolean): ExitCode {
  if (exitCode === 0) return exitCodes.ok;
  if (json) process.stdout.write(`${JSON.stringify({ error: { exitCode: exitCodes.badInput, message } })}\n`);
  return exitCodes.badInput;
}
