import type { RecordedEvent } from '@davit/contracts';
import { type Meter, changeRate, endMeter, refuteMeter, reopenMeter, startMeter } from './meter.js';

/**
 * What an orphan may have cost: held from the moment it was found until it is proven gone, and never confirmed, since whose it is
 * was not proven. Where it turns out to be its owner's, the meter of the owner counts it, and nothing is held here.
 */
export function evolveOrphanMeter(meter: Meter | undefined, event: RecordedEvent): Meter | undefined {
  const { time, position } = event;
  switch (event.type) {
    case 'davit.resource.orphan-found':
    case 'davit.endpoint.orphan-found': {
      const { price } = event.data;
      const wasElsewhere = meter?.until === meter?.since;
      if (!meter || wasElsewhere) return startMeter(event, price, null);
      const again = meter.until === null ? meter : reopenMeter(meter, event);
      return price ? changeRate(again, event, price, null) : again;
    }
    case 'davit.resource.observed':
    case 'davit.endpoint.observed':
      return meter && event.data.price ? changeRate(meter, event, event.data.price, null) : meter;
    case 'davit.resource.orphan-cleared':
    case 'davit.endpoint.orphan-cleared':
      if (!meter) return undefined;
      return (event.data.reason === 'owner-found' ? refuteMeter : endMeter)(meter, { time, position });
    case 'davit.resource.absence-confirmed':
    case 'davit.endpoint.absence-confirmed':
      return meter && endMeter(meter, { time, position });
    default:
      return meter;
  }
}
