import { type KeyShown } from '../model-server/keys.js';

/** How often keys were shown to one host: its own, or any it should never have seen. */
export interface KeysAtHost {
  readonly host: string;
  readonly own: number;
  readonly foreign: number;
}

/** Which hosts were shown keys. Only that is kept, no key. */
export class KeysSeen {
  private readonly hosts = new Map<string, Record<KeyShown, number>>();

  note(host: string, shown: KeyShown): void {
    const counts = this.hosts.get(host) ?? { own: 0, foreign: 0 };
    counts[shown] += 1;
    this.hosts.set(host, counts);
  }

  at(host: string): KeysAtHost {
    return { host, ...(this.hosts.get(host) ?? { own: 0, foreign: 0 }) };
  }

  all(): readonly KeysAtHost[] {
    return [...this.hosts].map(([host, counts]) => ({ host, ...counts }));
  }
}
