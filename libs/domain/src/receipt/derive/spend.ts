import { addAmounts } from '../../money.js';
import type { RolloutMoney } from '@davit/contracts';
import type { ReceiptEvidence, ReceiptSources, Spend, SpendLine } from '../receipt.js';

/** What was spent, stretch by stretch, with who says so. What nobody says is counted as unknown, never as nothing. */
export function spendOf({ events, evidence }: ReceiptSources): Spend {
  const lines: SpendLine[] = [];
  for (const event of events) {
    if (event.type === 'davit.rollout.load-profile-run') {
      const { ramp, attempt, steps } = event.data;
      for (const { window } of steps) {
        const what = `ramp ${ramp}, attempt ${attempt}`;
        lines.push(lineOf(what, `event ${event.position}`, window.from, window.to, window.spend));
      }
    }
    if (event.type === 'davit.rollout.baseline-recorded') {
      for (const { from, to, spend } of event.data.windows) {
        lines.push(lineOf('baseline of production', `event ${event.position}`, from, to, spend));
      }
    }
  }
  const bundle = lastBundle({ events, evidence });
  for (const window of bundle?.value.candidate ?? []) {
    if (window === null) continue;
    const [from, to] = [isoOf(window.fromMs), isoOf(window.toMs)];
    lines.push(lineOf('production on the candidate', `evidence ${bundle?.digest ?? ''}`, from, to, window.spend));
  }
  return { lines, totals: totalsOf(lines), unknown: lines.filter(({ amount }) => amount === null).length };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

const lineOf = (what: string, source: string, from: string, to: string, spend: RolloutMoney | null): SpendLine => ({
  ...{ what, source, from, to },
  ...{ amount: spend?.amount ?? null, currency: spend?.currency ?? null },
});

/** By currency, to the last decimal. */
export function totalsOf(lines: readonly SpendLine[]): readonly RolloutMoney[] {
  const totals = new Map<string, string>();
  for (const { amount, currency } of lines) {
    if (amount !== null && currency !== null) totals.set(currency, addAmounts(totals.get(currency) ?? '0', amount));
  }
  return [...totals].map(([currency, amount]) => ({ amount, currency }));
}

type KeptBundle = Extract<ReceiptEvidence, { readonly kind: 'verdict-bundle' }>;

/** The bundle of the last verdict, where it is at hand. */
export function lastBundle({ events, evidence }: ReceiptSources): KeptBundle | undefined {
  const verdict = events.findLast(({ type }) => type === 'davit.rollout.verdict-reached');
  if (verdict?.type !== 'davit.rollout.verdict-reached') return undefined;
  const kept = evidence.find(({ digest }) => digest === verdict.data.bundleDigest);
  return kept?.kind === 'verdict-bundle' ? kept : undefined;
}
