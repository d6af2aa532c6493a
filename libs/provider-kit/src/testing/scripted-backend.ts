import type {
  DeleteResult,
  DiscoverResult,
  EnsureResult,
  InventoryResult,
  Observation,
  ObserveHints,
  ObserveResult,
  ProviderBackend,
  ProviderIdentity,
} from '../backend.js';

type Script = {
  discover: DiscoverResult;
  ensure: EnsureResult;
  observe: ObserveResult;
  delete: DeleteResult;
  inventory: InventoryResult;
};

/** A backend that answers what the test says, and remembers what it was asked. */
export class ScriptedBackend implements ProviderBackend {
  readonly adapter: string = 'skypilot';
  readonly category = 'resource' as const;
  readonly calls: string[] = [];
  readonly hints: ObserveHints[] = [];
  /** Runs inside the call, after it took effect. */
  during: (call: string) => Promise<void> | void = () => undefined;
  answers: Script = {
    discover: { outcome: 'absent', detail: '' },
    ensure: { outcome: 'accepted', handle: 'request-1' },
    observe: up(),
    delete: { outcome: 'accepted', detail: 'asked' },
    inventory: { outcome: 'listed', rows: [], sources: ['script'] },
  };

  answer(changes: Partial<Script>): void {
    this.answers = { ...this.answers, ...changes };
  }

  readonly capabilities = { advice: false, spot: false, stop: false, regions: false, labels: false };

  identify(externalKey: string): ProviderIdentity {
    return { externalKey, name: externalKey };
  }
  discover(): Promise<DiscoverResult> {
    return this.reply('discover');
  }
  ensure(): Promise<EnsureResult> {
    return this.reply('ensure');
  }
  observe(_: string, hints: ObserveHints): Promise<ObserveResult> {
    this.hints.push(hints);
    return this.reply('observe');
  }
  delete(): Promise<DeleteResult> {
    return this.reply('delete');
  }
  inventory(prefix: string): Promise<InventoryResult> {
    this.calls.push(`prefix ${prefix}`);
    return this.reply('inventory');
  }

  count(call: string): number {
    return this.calls.filter((made) => made === call).length;
  }

  private async reply<Name extends keyof Script>(name: Name): Promise<Script[Name]> {
    this.calls.push(name);
    await this.during(name);
    return this.answers[name];
  }
}

export const up = (changes: Partial<Observation> = {}): ObserveResult => ({
  outcome: 'present',
  phase: 'up',
  url: 'http://10.0.0.1:8000',
  providerId: 'hash-1',
  price: null,
  class: null,
  detail: 'UP',
  ...changes,
});
