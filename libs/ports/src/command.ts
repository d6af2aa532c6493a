export interface CommandRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing is inherited. Values may be secrets and are never logged. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs: number;
  /** Cap on stdout and stderr each. Default 8 MiB. */
  readonly maxBytes?: number;
}

/** What running a command can end in. Only `exited` says anything about the work; the rest is unknown. */
export type CommandOutcome =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'timed-out'; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'killed'; readonly signal: string; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-started'; readonly detail: string };

/** Runs programs without a shell, with stdin closed. It never throws. */
export interface CommandRunner {
  run(request: CommandRequest): Promise<CommandOutcome>;
}
