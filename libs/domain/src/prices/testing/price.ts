import type { HourlyPrice } from '@davit/contracts';

export const NOW = Date.UTC(2026, 0, 1);

/** What RunPod quotes for a machine at {@link NOW}. */
export const price = (amount: string, changes: Partial<HourlyPrice> = {}): HourlyPrice => ({
  amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source: 'runpod-v2',
  observedAt: new Date(NOW).toISOString(),
  ...changes,
});
