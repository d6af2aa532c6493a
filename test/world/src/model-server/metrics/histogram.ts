/** A histogram whose `+Inf` bucket always equals its count. */
export class Histogram {
  private readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  observe(value: number, times = 1): void {
    this.count += times;
    this.sum += value * times;
    this.bounds.forEach((bound, index) => {
      if (value <= bound) this.counts[index] = (this.counts[index] ?? 0) + times;
    });
  }

  /** All of them as one; their bounds are the same. */
  static sum(parts: readonly Histogram[]): Histogram {
    const whole = new Histogram(parts[0]?.bounds ?? []);
    for (const part of parts) {
      whole.count += part.count;
      whole.sum += part.sum;
      part.counts.forEach((count, index) => (whole.counts[index] = (whole.counts[index] ?? 0) + count));
    }
    return whole;
  }

  /** Cumulative counts with their upper bounds, `+Inf` last. */
  buckets(): readonly (readonly [bound: number, count: number])[] {
    return [
      ...this.bounds.map((bound, index) => [bound, this.counts[index] ?? 0] as const),
      [Number.POSITIVE_INFINITY, this.count],
    ];
  }
}
