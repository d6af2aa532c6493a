import type { Placement } from '@davit/contracts';
import type { PlacementQuestion } from './question.js';

/** Where replicas are spread: how many are in each cloud or region. Places have numbers, in the order in which they were met. */
export class Places {
  private readonly clouds = new Map<string, Map<string | null, number>>();
  private readonly counts: number[] = [];
  private readonly spread: PlacementQuestion['spread'];

  constructor({ spread, neighbours }: Pick<PlacementQuestion, 'spread' | 'neighbours'>) {
    this.spread = spread;
    for (const placement of neighbours) this.add(this.of(placement));
  }

  get areSpread(): boolean {
    return this.spread !== null;
  }

  /** Number of the place that a placement counts for; they share one where nothing is spread. */
  of({ cloud, region }: Placement): number {
    const regions = this.regionsOf(this.spread === null ? '' : cloud);
    const name = this.spread === 'region' ? region : null;
    const known = regions.get(name);
    if (known !== undefined) return known;
    regions.set(name, this.counts.length);
    return this.counts.push(0) - 1;
  }

  add(place: number): void {
    this.counts[place] = this.in(place) + 1;
  }

  /** Replicas in a place. */
  in(place: number): number {
    return this.counts[place] ?? 0;
  }

  private regionsOf(cloud: string): Map<string | null, number> {
    const known = this.clouds.get(cloud);
    if (known) return known;
    const regions = new Map<string | null, number>();
    this.clouds.set(cloud, regions);
    return regions;
  }
}
