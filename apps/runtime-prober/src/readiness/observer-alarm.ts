import { type NewEvent, stream } from '@davit/contracts';
import {
  type AlarmState,
  OBSERVER_ALARM,
  type ObserverLimits,
  type ReachCounts,
  alarmKeyOf,
  isObserverIll,
} from '@davit/domain';
import type { ReconcileContext } from '@davit/reconcile';

const TENANT = 'default';
/** Between looks at what another instance left behind. */
const LOOK_MS = 30_000;
/** What was found while it was ill has been looked at again by then. */
const CALM_MS = 30_000;

/** Tells operators while an instance holds verdicts because most servers are out of its reach at once, and when that is over. */
export class ObserverAlarm {
  /** What this instance found last; undefined before it knows what others left behind. */
  private isUp: boolean | undefined;
  private lookAtMs = 0;
  private illAtMs = Number.NEGATIVE_INFINITY;
  private isBusy = false;

  constructor(private readonly limits: ObserverLimits) {}

  /** Costs nothing unless there is something to tell. */
  async keep(context: ReconcileContext, counts: ReachCounts): Promise<void> {
    const nowMs = context.nowMs();
    if (isObserverIll(counts, this.limits)) this.illAtMs = nowMs;
    const isIll = nowMs - this.illAtMs < CALM_MS;
    if (this.isBusy || isIll === this.isUp || (!isIll && nowMs < this.lookAtMs)) return;
    this.isBusy = true;
    this.lookAtMs = nowMs + LOOK_MS;
    try {
      const raised = (await context.model.get<AlarmState>('alarm', alarmKeyOf(OBSERVER_ALARM)))?.document;
      // Another instance's alarm is its own to clear, unless it is gone with its instance.
      const isOthers =
        !isIll && this.isUp === undefined && raised && nowMs - Date.parse(raised.since) < this.limits.holdMs;
      if (isOthers) return;
      if (isIll === (raised !== undefined) || (await this.tell(context, isIll ? raise(counts) : CLEARED)))
        this.isUp = isIll;
    } finally {
      this.isBusy = false;
    }
  }

  private async tell(context: ReconcileContext, event: NewEvent): Promise<boolean> {
    const writes = [{ stream: stream.fleetAlarms, expectedVersion: 'any', events: [event] }] as const;
    const { outcome } = await context.append([...writes], { tenant: TENANT });
    context.logger.warn({ event }, 'most model servers are out of reach at once, or no longer');
    return outcome === 'appended';
  }
}

const raise = ({ answered, refused, unreachable }: ReachCounts): NewEvent => {
  const all = answered + refused + unreachable;
  const detail =
    `${refused + unreachable} of ${all} model servers that worked are out of reach at once (${refused} refuse, ${unreachable} ` +
    'do not answer): the way from runtime-prober to them may be what is ill. What is not confirmed by a gateway or the ' +
    'provider is not called unready meanwhile, and routes stay';
  return { type: 'davit.fleet.alarm-raised', data: { ...OBSERVER_ALARM, severity: 'critical', detail } };
};

const CLEARED: NewEvent = {
  type: 'davit.fleet.alarm-cleared',
  data: { ...OBSERVER_ALARM, detail: 'model servers are within reach again' },
};
