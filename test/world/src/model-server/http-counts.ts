import { type Rows } from './metrics/exposition.js';

/** Requests by route, as the Python front ends count them. */
export class HttpCounts {
  private readonly counts = new Map<string, number>();

  answered(handler: string, method: string, status: number): void {
    const key = JSON.stringify({ handler, method, status: `${Math.floor(status / 100)}xx` });
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  rows(): Rows<number> {
    return [...this.counts].map(([labels, count]) => [JSON.parse(labels) as Record<string, string>, count]);
  }
}
