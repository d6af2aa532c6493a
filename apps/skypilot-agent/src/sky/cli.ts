import type { CommandOutcome, CommandRunner } from '@davit/ports';
import { CALLS_UNHEARD, type OnProviderCall, type ProviderCall, redact, stripAnsi } from '@davit/provider-kit';
import { SKY_CALLS, type SkyCallArguments, type SkyCallName, type SkyLane } from './calls.js';
import { classify, type Verdict } from './errors.js';
import type { SkySettings } from './settings.js';
import { SlotsByName } from './slots.js';

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** What one run of `sky` came to. Only `ok` and `failed` say that it ended by itself. */
export type SkyReply =
  | { readonly kind: 'ok'; readonly stdout: string }
  | { readonly kind: 'failed'; readonly exitCode: number; readonly stdout: string; readonly verdict: Verdict }
  | { readonly kind: 'lost'; readonly detail: string };

export interface SkyCallOptions {
  /** Secrets of this one call. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Where the call acts; calls to different clouds never wait for each other. */
  readonly cloud?: string;
  /** Asked when the command's turn has come; false keeps it from being run. */
  readonly mayRun?: () => Promise<boolean>;
  /** Keeps the slot after the reply for as long as this takes. */
  readonly holdOn?: (reply: SkyReply) => Promise<void>;
}

/** Runs `sky` with an environment of its own, without a shell, and without ever showing what is secret. */
export class SkyCli {
  private readonly slots: Readonly<Record<SkyLane, SlotsByName>>;

  constructor(
    private readonly commands: CommandRunner,
    private readonly settings: SkySettings,
    private readonly onCall: OnProviderCall = CALLS_UNHEARD,
  ) {
    const { launches, maxDeletions, maxQuestions } = settings;
    const questions = (): SlotsByName => new SlotsByName(() => maxQuestions);
    this.slots = {
      look: questions(),
      address: questions(),
      log: questions(),
      launch: new SlotsByName((cloud) => launches[cloud] ?? launches['*']),
      end: new SlotsByName(() => maxDeletions),
    };
  }

  /** Runs one of `SKY_CALLS` when its turn comes. */
  run<Name extends SkyCallName>(
    name: Name,
    args: SkyCallArguments<Name>,
    options: SkyCallOptions = {},
  ): Promise<SkyReply> {
    const call = SKY_CALLS[name];
    // The arguments belong to this very call, which the union of all calls does not show.
    const words = (call.args as (...given: SkyCallArguments<Name>) => readonly string[])(...args);
    const timeoutMs = this.settings.timeouts[call.timeout];
    const slots = this.slots[call.lane].of(options.cloud ?? '');
    return slots.run(() => this.runNow(name, words, timeoutMs, options), options.holdOn);
  }

  private async runNow(
    name: SkyCallName,
    args: readonly string[],
    timeoutMs: number,
    { secrets = {}, mayRun }: SkyCallOptions,
  ): Promise<SkyReply> {
    if (mayRun && !(await mayRun())) return { kind: 'lost', detail: 'nothing was done; the lease was lost' };
    const startedMs = performance.now();
    const outcome = await this.commands.run({
      file: this.settings.binary,
      args,
      env: { ...environmentOf(this.settings), ...secrets },
      cwd: this.settings.home,
      timeoutMs,
      maxBytes: MAX_OUTPUT_BYTES,
    });
    const hidden = [...Object.values(secrets), this.settings.apiServerToken ?? ''];
    const reply = replyOf(outcome, SKY_CALLS[name].verb, timeoutMs, hidden);
    this.onCall({ call: name, ...endOf(reply), seconds: (performance.now() - startedMs) / 1_000 });
    return reply;
  }
}

function endOf(reply: SkyReply): Pick<ProviderCall, 'outcome' | 'class'> {
  if (reply.kind === 'failed') return { outcome: 'failed', class: reply.verdict.class };
  return { outcome: reply.kind === 'ok' ? 'answered' : 'lost', class: null };
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
