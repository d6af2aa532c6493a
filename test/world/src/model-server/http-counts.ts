import { type Rows } from './metrics/exposition.js';

/** Requests by route, as the Python front ends count them. */
export class HttpCounts {
  private readonly counts = new Map<string, number>();

  answered(path: string, method: string, status: number): void {
    // Of the paths that there are, only those that take a model's name answer 404.
    const handler = status === 404 && !path.endsWith('/completions') ? 'none' : path;
    const key = JSON.stringify({ handler, method, status: `${Math.floor(status / 100)}xx` });
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  rows(): Rows<number> {
    return [...this.counts].map(([labels, count]) => [JSON.parse(labels) as Record<string, string>, count]);
  }
}
