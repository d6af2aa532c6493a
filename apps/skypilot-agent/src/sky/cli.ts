import type { CommandOutcome, CommandRunner } from '@davit/ports';
import { limit, redact, stripAnsi } from '@davit/provider-kit';
import { classify, type Verdict } from './errors.js';
import type { SkySettings } from './settings.js';

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const ORDERS: ReadonlySet<string> = new Set(['launch', 'down']);

/** What one run of `sky` came to. Only `ok` and `failed` say that it ended by itself. */
export type SkyReply =
  | { readonly kind: 'ok'; readonly stdout: string }
  | { readonly kind: 'failed'; readonly exitCode: number; readonly stdout: string; readonly verdict: Verdict }
  | { readonly kind: 'lost'; readonly detail: string };

export interface SkyCall {
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** Secrets of this one call. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Asked when the command's turn has come; false keeps it from being run. */
  readonly mayRun?: () => Promise<boolean>;
}

/** Runs `sky` with an environment of its own, without a shell, and without ever showing what is secret. */
export class SkyCli {
  private readonly order: ReturnType<typeof limit>;
  private readonly question: ReturnType<typeof limit>;

  constructor(
    private readonly commands: CommandRunner,
    private readonly settings: SkySettings,
  ) {
    this.order = limit(settings.maxOrders);
    this.question = limit(settings.maxQuestions);
  }

  /** Runs a command when its turn comes; orders, which take long, do not hold up questions. */
  run(call: SkyCall): Promise<SkyReply> {
    const slot = ORDERS.has(call.args[0] ?? '') ? this.order : this.question;
    return slot(() => this.runNow(call));
  }

  private async runNow({ args, timeoutMs, secrets = {}, mayRun }: SkyCall): Promise<SkyReply> {
    if (mayRun && !(await mayRun())) return { kind: 'lost', detail: 'nothing was done; the lease was lost' };
    const outcome = await this.commands.run({
      file: this.settings.binary,
      args,
      env: { ...environmentOf(this.settings), ...secrets },
      cwd: this.settings.home,
      timeoutMs,
      maxBytes: MAX_OUTPUT_BYTES,
    });
    const verb = args.slice(0, args[0] === 'api' ? 2 : 1).join(' ');
    return replyOf(outcome, verb, timeoutMs, [...Object.values(secrets), this.settings.apiServerToken ?? '']);
  }
}

/** Everything that `sky` gets to see; nothing is inherited. */
export function environmentOf(settings: SkySettings): Readonly<Record<string, string>> {
  return {
    PATH: settings.path,
    HOME: settings.home,
    LANG: 'C.UTF-8',
    SKYPILOT_DISABLE_USAGE_COLLECTION: '1',
    SKYPILOT_USER_ID: settings.userId,
    SKYPILOT_USER: 'davit',
    ...(settings.apiServerUrl === null ? {} : { SKYPILOT_API_SERVER_ENDPOINT: settings.apiServerUrl }),
    ...(settings.apiServerToken === null ? {} : { SKYPILOT_SERVICE_ACCOUNT_TOKEN: settings.apiServerToken }),
  };
}

function replyOf(outcome: CommandOutcome, verb: string, timeoutMs: number, secrets: readonly string[]): SkyReply {
  switch (outcome.kind) {
    case 'exited': {
      // SkyPilot colours its output whether or not a terminal reads it (skypilot #10713).
      const stdout = stripAnsi(outcome.stdout);
      if (outcome.exitCode === 0) return { kind: 'ok', stdout };
      const verdict = classify(outcome.stderr, outcome.exitCode, secrets);
      return { kind: 'failed', exitCode: outcome.exitCode, stdout, verdict };
    }
    case 'timed-out':
      return { kind: 'lost', detail: `sky ${verb} did not end within ${timeoutMs} ms` };
    case 'killed':
      return { kind: 'lost', detail: `sky ${verb} was ended by ${outcome.signal}` };
    case 'too-large':
      return { kind: 'lost', detail: `sky ${verb} printed more than ${MAX_OUTPUT_BYTES} bytes` };
    case 'not-started':
      return { kind: 'lost', detail: `sky did not start: ${redact(outcome.detail, secrets, 200)}` };
  }
}

/** One line that says why a reply is no answer. */
export const troubleOf = (reply: Exclude<SkyReply, { kind: 'ok' }>): string =>
  reply.kind === 'lost' ? reply.detail : reply.verdict.detail;
