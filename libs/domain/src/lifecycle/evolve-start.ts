import type { RecordedEvent } from '@davit/contracts';
import {
  changeRate,
  endMeter,
  endSight,
  refuteMeter,
  reopenMeter,
  startMeter,
  startSight,
  type Meter,
} from './meter.js';
import type { Progress, ReplicaState, RuntimeView } from './state.js';

const factOf = (event: RecordedEvent): string | undefined =>
  /^davit\.(?:resource|endpoint)\.(.+)$/.exec(event.type)?.[1];

/** Whether an event shows that a start moves on: a new phase, an address, a model server that says that it loads. */
export function evolveProgress(before: ReplicaState, after: ReplicaState, event: RecordedEvent): Progress | null {
  if (event.type === 'davit.replica.launch-requested') return null;
  if (after.status !== 'launching') return after.progress;
  const what = progressIn(before, after, event);
  return what === undefined || what === after.progress?.what ? after.progress : { at: event.time, what };
}

function progressIn(before: ReplicaState, after: ReplicaState, event: RecordedEvent): string | undefined {
  const { resource, runtime, launch } = after;
  if (launch?.outcome === 'accepted' && before.launch?.outcome !== 'accepted') return 'the launch was accepted';
  if (runtime && runtime !== before.runtime) return progressOfRuntime(before.runtime, runtime);
  if (resource?.url != null && before.resource?.url == null) return `its address is ${resource.url}`;
  if ((resource?.phase === 'provisioning' || resource?.phase === 'up') && resource.phase !== before.resource?.phase) {
    return `the provider says ${resource.phase}`;
  }
  if (event.type === 'davit.resource.diagnosed' || event.type === 'davit.endpoint.diagnosed') {
    return `diagnosed at ${event.data.boundary}: ${event.data.detail}`;
  }
  return undefined;
}

function progressOfRuntime(before: RuntimeView | null, after: RuntimeView): string | undefined {
  const { reason } = after;
  if ((reason === 'loading' || reason === 'warming') && before?.reason !== reason)
    return `the model server is ${reason === 'loading' ? 'loading' : 'warming up'}`;
  return after.url === before?.url ? undefined : `probing ${after.url}`;
}

/**
 * Runs from the launch that may have made a machine until that machine is proven gone; what is only adopted costs us nothing.
 * A launch that was accepted, a cluster record or a launch under way is no machine yet: only a machine that is up, or one that
 * the provider puts on its bill, is seen to run.
 */
export function evolveMeter(before: ReplicaState, after: ReplicaState, event: RecordedEvent): Meter | null {
  if (after.mode === 'direct') return null;
  const { meter, price, placement } = after;
  const fact = factOf(event);
  if (!meter) {
    const mayRun = fact === 'launch-accepted' || fact === 'launch-unknown';
    return mayRun ? startMeter(event, price, placement) : null;
  }
  // A lost answer that turned out to be a refusal: there never was a machine.
  if (fact === 'launch-refused' && before.launch?.outcome !== 'accepted' && meter.seen.length === 0)
    return refuteMeter(meter, event);
  const same = price === before.price && placement === before.placement;
  return ended(sighted(same ? meter : changeRate(meter, event, price, placement), event), before, after, event);
}

/** Whether an event shows that the machine runs, or that it does not. */
export function sighted(meter: Meter, event: RecordedEvent): Meter {
  switch (event.type) {
    case 'davit.resource.observed':
    case 'davit.endpoint.observed': {
      const { phase, price, class: errorClass } = event.data;
      if (phase === 'unknown') return meter;
      if (phase === 'stopped' || errorClass === 'not-found') return endSight(meter, event);
      return phase === 'up' || price?.kind === 'billed' ? startSight(meter, event) : meter;
    }
    case 'davit.resource.absence-observed':
    case 'davit.endpoint.absence-observed':
    case 'davit.resource.absence-confirmed':
    case 'davit.endpoint.absence-confirmed':
    case 'davit.resource.released':
    case 'davit.endpoint.released':
      return endSight(meter, event);
    default:
      return meter;
  }
}

/** Over once it is proven gone or let go. Seen again after that it may have been there all along. */
function ended(meter: Meter, before: ReplicaState, after: ReplicaState, event: RecordedEvent): Meter {
  const isOver = ({ absence }: ReplicaState): boolean => absence.confirmedAt !== null || absence.released;
  if (meter.until === null) return isOver(after) ? endMeter(meter, event) : meter;
  if (isOver(after)) return meter;
  // A launch that was taken for refused, and of which something is seen after all.
  const runs = meter.seen.at(-1)?.until === null || factOf(event) === 'launch-accepted';
  return isOver(before) || runs ? reopenMeter(meter, event) : meter;
}
