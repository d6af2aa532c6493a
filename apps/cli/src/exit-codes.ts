/** Exit codes of `davit`, the same for every command; `docs/reference/cli.md` lists them. */
export const exitCodes = {
  ok: 0,
  /** Something unexpected: the server cannot be reached, or answered with a fault. */
  failure: 1,
  /** The command line or the specification is wrong. Nothing was changed. */
  badInput: 2,
  /** Understood, but refused: it does not exist, or it contradicts what runs. Nothing was changed. */
  refused: 3,
  /** `--wait` gave up. What was asked for goes on. */
  timedOut: 4,
  /** `davit doctor` found something that must be mended. */
  unhealthy: 5,
  /** `davit audit` found that the log breaks a law. */
  lawsBroken: 6,
  /** `davit receipt verify` found that a receipt is not what was measured. */
  receiptWrong: 7,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with a message for people and an exit code for scripts. */
export class CommandError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** Goes into the `--json` error object. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'CommandError';
  }
}
