import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What the command line says; an option that does not exist ends the program with a word and exit code 2. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
): ReturnType<typeof parseArgs<{ readonly options: Options }>>['values'] {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nKnown: ${known.join(', ')}.\n`);
    process.exit(2);
  }
}
