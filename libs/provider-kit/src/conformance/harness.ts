import assert from 'node:assert/strict';
import type { LaunchOrder, ObserveHints, ObserveResult, ProviderBackend } from '../backend.js';

/** A backend over a provider that can be watched and hurt. */
export interface BackendHarness {
  readonly backend: ProviderBackend;
  /** An order for a key that was never used, beginning with `prefix`. */
  readonly order: () => LaunchOrder;
  readonly prefix: string;
  /** Lets some of the provider's time pass. */
  readonly step: () => Promise<void>;
  /** How many things the provider holds for this key, counted without the backend. */
  readonly held: (externalKey: string) => Promise<number>;
  /** Puts something of another owner beside ours; undefined when the provider has nobody else's things. */
  readonly foreign?: (name: string) => Promise<void>;
  /** While true, every question to the provider ends without a readable answer. */
  readonly blind?: (on: boolean) => void;
  /** Lets the next launch happen, and its answer be lost. */
  readonly loseNextLaunchReply?: () => void;
  /** Makes the tool that rents forget a thing that runs on; undefined where the provider's own list is not read. */
  readonly loseRecord?: (externalKey: string) => void;
  /** How a second thing of one name comes about; undefined where none is ever shown. */
  readonly double?: {
    /** Makes the next launch rent two. */
    readonly beforeLaunch?: () => void;
    /** Somebody else makes one of this name. */
    readonly afterLaunch?: (externalKey: string) => void;
  };
  readonly dispose?: () => Promise<void>;
}

/** The part of a test framework that the suite needs. */
export interface TestFramework {
  readonly describe: (name: string, body: () => void) => void;
  readonly test: (name: string, body: () => Promise<void>) => void;
}

/** More steps than any start or deletion takes. */
const MAX_STEPS = 400;

export type Rule = (title: string, body: (harness: BackendHarness) => Promise<void>) => void;

export type Present = Extract<ObserveResult, { outcome: 'present' }>;

/** Observes until it is up. */
export async function untilUp(harness: BackendHarness, wanted: LaunchOrder): Promise<Present> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const seen = await harness.backend.observe(wanted.externalKey, hintsFor(wanted, 'follow'));
    if (seen.outcome === 'present' && seen.phase === 'up' && seen.url !== null) return seen;
    if (seen.outcome === 'present' && seen.phase === 'failed') assert.fail(`failed: ${seen.detail}`);
    await harness.step();
  }
  return assert.fail('it never came up');
}

export async function untilAbsent(harness: BackendHarness, wanted: LaunchOrder): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const seen = await harness.backend.observe(wanted.externalKey, hintsFor(wanted, 'absence'));
    if (seen.outcome === 'absent') return;
    await harness.step();
  }
  assert.fail('it never went away');
}

/** Lets the provider's time pass until it is so. */
export async function until(harness: BackendHarness, isSo: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    if (await isSo()) return;
    await harness.step();
  }
  assert.fail('it never was so');
}

export const hintsFor = (subject: LaunchOrder, purpose: ObserveHints['purpose']): ObserveHints => ({
  subject,
  purpose,
  askedAtMs: 0,
  launching: true,
  mayBeInvisible: true,
  billed: false,
  handle: null,
  url: null,
  providerId: null,
});

/** What has to stay the same from one look to the next. */
export const pick = (seen: ObserveResult): unknown =>
  seen.outcome === 'present' ? [seen.phase, seen.url, seen.providerId] : seen.outcome;
