/** The speed of a counter between two looks at it; looks within the same second see the same. */
export class SpeedMeter {
  private last: { readonly total: number; readonly atMs: number } | undefined;
  private speed = 0;

  perSecond(total: number, nowMs: number): number {
    const { last } = this;
    if (last && nowMs - last.atMs < 1000) return this.speed;
    if (last) this.speed = ((total - last.total) * 1000) / (nowMs - last.atMs);
    this.last = { total, atMs: nowMs };
    return this.speed;
  }
}
