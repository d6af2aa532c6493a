/**
 * Progress for people. It goes to stderr, so that stdout stays free for results.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** A fault whose message is meant for the person at the terminal; shown without a stack. */
export class SetupError extends Error {
  /**
   * @param {string} code stable, for scripts and tests
   * @param {string} message names the thing, the value and the remedy
   */
  constructor(code, message) {
    super(message);
    this.name = 'SetupError';
    this.code = code;
  }
}

/**
 * Runs the body of a command; a fault ends it with a message and exit code 1.
 * @param {() => Promise<number | void>} body resolves to the exit code, 0 when it returns nothing
 */
export async function runCommand(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    sayError(error);
    process.exitCode = 1;
  }
}

/**
 * A fault of the set-up, or of the command line, as its message; any other with its stack, since it is ours to mend.
 * @param {unknown} error
 */
export function sayError(error) {
  if (error instanceof SetupError || isWrongArgument(error)) say(`\n${error.message}`);
  else say(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/**
 * What `parseArgs` throws.
 * @param {unknown} error
 * @returns {error is Error}
 */
const isWrongArgument = (error) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
