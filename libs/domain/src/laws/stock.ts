import type { EventOf, RecordedEvent } from '@davit/contracts';
import { deploymentKeyOf } from '../lifecycle/evolve-deployment.js';
import { offerKeyOf } from '../placement/offer.js';
import { isRefusal } from '../replica/failure.js';
import { Advice, type Assessed, type RungEvidence, lifetimeMsOf } from './advice.js';
import { type LawOptions, type Report, keyOf } from './violation.js';

type Verdict = EventOf<'replica'> & { readonly type: 'davit.replica.placed' | 'davit.replica.deferred' };

/** Law 4 for stock and price: an offer is never passed over for a signal that has expired, or that says that it does not know. */
export class Stock {
  private readonly advice = new Advice();
  private readonly refused = new Set<string>();
  /** Deployments and tenants that ever had a budget: an unknown price speaks against an offer there. */
  private readonly budgeted = new Set<string>();

  constructor(
    private readonly report: Report,
    private readonly options: LawOptions,
  ) {}

  see(event: RecordedEvent): void {
    if (event.type === 'davit.replica.placed' || event.type === 'davit.replica.deferred') this.judge(event);
    this.advice.see(event);
    switch (event.type) {
      case 'davit.replica.failed': {
        const { placement, class: failure } = event.data;
        if (placement && isRefusal(failure)) this.refused.add(offerKeyOf(placement));
        return;
      }
      case 'davit.deployment.declared':
        if (event.data.spec.spec.budget) this.budgeted.add(keyOf(event));
        return;
      case 'davit.deployment.deleted':
        this.budgeted.delete(keyOf(event));
        return;
      case 'davit.tenant.budget-set':
        if (event.data.budget) this.budgeted.add(keyOf(event));
        return;
      default:
    }
  }

  private judge(event: Verdict): void {
    const { replicaId, evidence } = event.data;
    for (const rung of evidence) {
      if (rung.verdict !== 'rejected') continue;
      const assessed = this.advice.behind(replicaId, rung);
      const message =
        rung.state === 'unavailable' ? this.stale(event, rung, assessed) : this.baseless(event, rung, assessed);
      if (message !== undefined)
        this.report(event, replicaId, `${offerKeyOf(rung.placement)} ${message}`, assessed ? [assessed.position] : []);
    }
  }

  private stale(event: Verdict, { ageMs, observedAt }: RungEvidence, assessed: Assessed | undefined) {
    if (!assessed) return undefined;
    const { signal } = assessed;
    if (signal.state !== 'unavailable') return `was rejected as unavailable, and its signal said ${signal.state}`;
    // Without an age, only what had expired long before it was written had surely expired when it was decided.
    const surelyMs = Date.parse(event.time) - Date.parse(observedAt ?? event.time) - this.options.graceMs;
    return (ageMs ?? surelyMs) < lifetimeMsOf(signal)
      ? undefined
      : 'was rejected for a signal that had expired, and so was unknown';
  }

  private baseless(event: Verdict, rung: RungEvidence, assessed: Assessed | undefined): string | undefined {
    const { state, placement, source } = rung;
    if (state !== 'unknown' || placement.maxHourlyPrice !== null || this.refused.has(offerKeyOf(placement)))
      return undefined;
    const priceToldElsewhere = rung.price === undefined && !assessed && source !== 'none';
    if (priceToldElsewhere || (rung.price ?? assessed?.signal.price)) return undefined;
    const deployment = deploymentKeyOf(event.data.replicaId) ?? '';
    if (this.budgeted.has(deployment) || this.budgeted.has(event.tenant)) return undefined;
    return 'was rejected although nothing is known of it, and not knowing is no reason';
  }
}
