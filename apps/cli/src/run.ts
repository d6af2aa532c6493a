import { CommanderError } from 'commander';
import { ASKS_FOR_WORDS, wordsAfter } from './commands/completion.js';
import { CommandError, type ExitCode, exitCodes } from './exit-codes.js';
import { withAt } from './instants.js';
import { UnknownKindError, buildProgram } from './program.js';

/** Runs one command line; returns the exit code. Never throws. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  const [first, ...words] = argv;
  try {
    const program = buildProgram();
    if (first === ASKS_FOR_WORDS) {
      process.stdout.write(`${wordsAfter(program, words).join('\n')}\n`);
      return exitCodes.ok;
    }
    const valued = program.options.flatMap(({ long, required }) => (required && long ? [long] : []));
    await program.parseAsync([...withAt(argv, valued)], { from: 'user' });
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
