/** One thing somebody asked of the outside. Secrets appear by name only. */
export type Call =
  | {
      readonly service: 'sky';
      readonly atMs: number;
      /** Values of inline secrets are digests. */
      readonly argv: readonly string[];
      readonly envNames: readonly string[];
      readonly secretInArgv: boolean;
    }
  | {
      readonly service: 'runpod' | 'vast-console' | 'vast-run' | 'vast-openai';
      readonly atMs: number;
      readonly method: string;
      /** Path and query; the value of a key in the query is replaced. */
      readonly url: string;
      readonly keyInUrl: boolean;
      readonly keyInBody: boolean;
    };

const KEPT = 20_000;

/** The most recent calls, oldest first. */
export class CallLog {
  private readonly calls: Call[] = [];

  add(call: Call): void {
    this.calls.push(call);
    if (this.calls.length > KEPT) this.calls.shift();
  }

  all(): readonly Call[] {
    return this.calls;
  }
}
