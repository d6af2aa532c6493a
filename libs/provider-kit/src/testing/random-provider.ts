import type { Random } from '@davit/ports';
import type {
  DeleteResult,
  DiscoverResult,
  EnsureResult,
  InventoryResult,
  LaunchOrder,
  ObserveHints,
  ObserveResult,
  ProviderBackend,
  ProviderIdentity,
} from '../backend.js';

const UNKNOWN = { outcome: 'unknown', detail: 'no answer' } as const;

/** How often things go wrong, as shares of calls. */
export interface Trouble {
  readonly unreadable: number;
  readonly lostReply: number;
  readonly lostRequest: number;
  readonly refused: number;
  /** A deletion that is accepted and does nothing. */
  readonly lies: number;
  /** The thing vanishes by itself. */
  readonly death: number;
}

/** A provider of one thing a key, with trouble at random, and its own account of what exists. */
export class RandomProvider implements ProviderBackend {
  readonly adapter = 'skypilot';
  readonly category = 'resource' as const;
  /** Things that exist: key → when it is seen first. */
  private readonly things = new Map<string, number>();
  launches = 0;

  constructor(
    private readonly random: Random,
    private readonly nowMs: () => number,
    public trouble: Trouble,
    private readonly hiddenMs: number,
  ) {}

  exists(key: string): boolean {
    return this.things.has(key);
  }

  readonly capabilities = { advice: false, spot: false, stop: false, regions: false, labels: false };

  identify(externalKey: string): ProviderIdentity {
    return { externalKey, name: externalKey };
  }
  discover(key: string): Promise<DiscoverResult> {
    if (this.happens('unreadable')) return Promise.resolve(UNKNOWN);
    return Promise.resolve({ outcome: this.isSeen(key) ? 'present' : 'absent', handle: null, detail: '' });
  }

  async ensure(order: LaunchOrder): Promise<EnsureResult> {
    if (this.happens('unreadable')) return UNKNOWN;
    if (this.isSeen(order.externalKey)) return { outcome: 'accepted', handle: null };
    if (!(await order.holdsLease())) return UNKNOWN;
    if (this.happens('lostRequest')) return UNKNOWN;
    if (this.happens('refused')) return { outcome: 'refused', class: 'capacity', detail: '' };
    this.launches += 1;
    this.things.set(order.externalKey, this.nowMs() + this.random.next() * this.hiddenMs);
    return this.happens('lostReply') ? UNKNOWN : { outcome: 'accepted', handle: `launch-${this.launches}` };
  }

  observe(key: string, hints: ObserveHints): Promise<ObserveResult> {
    if (hints.purpose === 'follow' && this.happens('death')) this.things.delete(key);
    if (this.happens('unreadable')) return Promise.resolve(UNKNOWN);
    if (!this.isSeen(key)) return Promise.resolve({ outcome: 'absent' });
    const seen = { url: 'http://10.0.0.1:8000', providerId: key, price: null, class: null, detail: '' };
    return Promise.resolve({ outcome: 'present', phase: 'up', ...seen });
  }

  delete(key: string): Promise<DeleteResult> {
    if (this.happens('lostRequest')) return Promise.resolve(UNKNOWN);
    if (!this.happens('lies')) this.things.delete(key);
    return Promise.resolve(this.happens('lostReply') ? UNKNOWN : { outcome: 'accepted', detail: '' });
  }

  inventory(prefix: string): Promise<InventoryResult> {
    if (this.happens('unreadable')) return Promise.resolve(UNKNOWN);
    const rows = [...this.things.keys()]
      .filter((key) => key.startsWith(prefix) && this.isSeen(key))
      .map((externalKey) => {
        return {
          externalKey,
          phase: 'up',
          providerId: externalKey,
          source: 'random',
          price: null,
          detail: '',
        } as const;
      });
    return Promise.resolve({ outcome: 'listed', rows, sources: ['random'] });
  }

  private isSeen(key: string): boolean {
    const fromMs = this.things.get(key);
    return fromMs !== undefined && this.nowMs() >= fromMs;
  }

  private happens(what: keyof Trouble): boolean {
    return this.random.next() < this.trouble[what];
  }
}
