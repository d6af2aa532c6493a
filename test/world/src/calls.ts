import { type FaultService } from './faults.js';

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
      readonly service: Exclude<FaultService, 'sky'>;
      readonly atMs: number;
      readonly method: string;
      /** Path and query; every key is replaced. */
      readonly url: string;
      readonly keyInUrl: boolean;
      readonly keyInBody: boolean;
      /** Whose key was in the header, where the service tells; null where it opens nothing. */
      readonly keyId: string | null;
      /** Of the body as it was sent; null where there was none. */
      readonly bodyDigest: string | null;
      /** What was answered; null when nothing was, or not yet. */
      status: number | null;
    };

const KEPT = 20_000;

/** The most recent calls, oldest first. */
export class CallLog {
  private readonly calls: Call[] = [];

  /** Notes a call; the result notes how it was answered. */
  add(call: Call): (status: number | null) => void {
    this.calls.push(call);
    if (this.calls.length > KEPT) this.calls.shift();
    return (status) => {
      if ('status' in call) call.status = status;
    };
  }

  all(): readonly Call[] {
    return this.calls;
  }
}
