import { type FaultEffect } from '../faults.js';
import { type Invocation } from './args.js';
import { type SkyBackend } from './backend.js';
import { type SkyCatalogue } from './catalogue.js';
import { type Output } from './text.js';

/** Who called `sky`, and what of its surroundings the command may see. Values of the environment are digests. */
export interface SkyCaller {
  /** Without the program's name; values of inline secrets are digests. */
  readonly argv: readonly string[];
  readonly sealedEnv: Readonly<Record<string, string>>;
  readonly userHash: string;
  readonly userName: string;
  /** Contents of the files that the command line names; null when one cannot be read. */
  readonly files: Readonly<Record<string, string | null>>;
  /** Variables of the dotenv files that the command line names, values as digests. */
  readonly sealedDotenv: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What running the command ends in, as the caller's process sees it. */
export type SkyOutcome =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** The process is killed before it prints anything. */
  | { readonly kind: 'killed' }
  /** The process never ends and ignores SIGTERM. */
  | { readonly kind: 'hung' };

export interface SkyContext {
  readonly backend: SkyBackend;
  readonly catalogue: SkyCatalogue;
  readonly args: Invocation;
  readonly caller: SkyCaller;
  readonly out: Output;
  readonly effects: readonly FaultEffect[];
  readonly salt: string;
  readonly version: string;
  /** Adds keys to JSON records that today's clients do not know. */
  readonly futureKeys: boolean;
}
