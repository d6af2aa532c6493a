/**
 * Collects what a command prints. As in SkyPilot 0.14.1, what goes through click is plain when nobody watches, while log
 * lines, which go to stdout too, keep their escape sequences.
 */
export class Output {
  stdout = '';
  stderr = '';

  line(text = ''): void {
    this.stdout += `${text}\n`;
  }

  error(text: string): void {
    this.stderr += `${text}\n`;
  }

  json(value: unknown): void {
    this.line(JSON.stringify(value, null, 2));
  }
}

export const bold = (text: string): string => `\u001b[1m${text}\u001b[0m`;
export const yellow = (text: string): string => `\u001b[33m${text}\u001b[0m`;

/** A misused command line: exit code 2 and click's usage text. */
export class UsageError extends Error {}

/** A prompt that met closed input, or a command that gave up: exit code 1 and nothing but `Aborted!`. */
export class Aborted extends Error {}

/** An exception that reaches the top: exit code 1, its class and text as the last line of stderr. */
export class SkyError extends Error {
  constructor(
    /** `ValueError` and the like stand alone, SkyPilot's own classes under `sky.exceptions`. */
    readonly className: string,
    message: string,
  ) {
    super(message);
  }

  get printed(): string {
    const builtin = /^(ValueError|RuntimeError|AssertionError|TypeError)$/.test(this.className);
    return `${builtin ? '' : 'sky.exceptions.'}${this.className}: ${this.message}`;
  }
}

export const cancelledRequest = (id: string): SkyError =>
  new SkyError('RequestCancelled', `Current 'sky.launch' request (${id}) is cancelled by another process.`);
