import { type VerdictReason } from '../bundle.js';

/** A figure that is the same in a bundle read back from text. */
export const figure = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(6)) : null);

export function reason(
  rule: string,
  outcome: VerdictReason['outcome'],
  detail: string,
  figures: Readonly<Record<string, number | string | null>> = {},
): VerdictReason {
  const rounded = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === 'number' ? figure(value) : value,
  ]);
  return { rule, outcome, detail, figures: Object.fromEntries(rounded) as VerdictReason['figures'] };
}

export const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;
export const minutes = (ms: number): string => `${Number((ms / 60_000).toPrecision(3))} min`;
