import { canonicalJson, digestOf } from '../canonical.js';
import { type RolloutVerdict, type VerdictBundle } from './bundle.js';
import { judge } from './judge.js';

export type Recomputed =
  | { readonly kind: 'same'; readonly verdict: RolloutVerdict }
  /** The bundle is not the one that was judged. */
  | { readonly kind: 'other-bundle'; readonly verdict: RolloutVerdict; readonly digest: string }
  /** The bundle is the same, what was said of it is not what it says. */
  | { readonly kind: 'other-answer'; readonly verdict: RolloutVerdict; readonly differs: readonly string[] };

/** Judges a bundle again, and says whether that is what was said: anybody can, without what it was measured on. */
export function recompute(bundle: VerdictBundle, said: RolloutVerdict): Recomputed {
  const verdict = judge(bundle);
  const digest = digestOf(bundle);
  if (digest !== said.digest) return { kind: 'other-bundle', verdict, digest };
  const fields = ['verdict', 'reasons', 'alpha', 'beta', 'samples'] as const;
  const differs = fields.filter((field) => canonicalJson(verdict[field]) !== canonicalJson(said[field]));
  return differs.length === 0 ? { kind: 'same', verdict } : { kind: 'other-answer', verdict, differs };
}
