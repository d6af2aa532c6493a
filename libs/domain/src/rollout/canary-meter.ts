import type { RecordedEvent } from '@davit/contracts';
import { sighted } from '../lifecycle/evolve-start.js';
import { type Meter, changeRate, endMeter, refuteMeter, reopenMeter, startMeter } from '../lifecycle/meter.js';
import type { Canary } from './state.js';

/**
 * What the endpoint that proves a candidate costs, by the rules for machines of replicas: held from the launch that may have
 * made it until it is proven gone, confirmed while the provider shows it on the bill.
 */
export function evolveCanaryMeter({ meter, launch }: Canary, event: RecordedEvent): Meter | null {
  switch (event.type) {
    case 'davit.endpoint.launch-accepted':
    case 'davit.endpoint.launch-unknown':
      return running(meter, event);
    case 'davit.endpoint.launch-refused':
      return meter && launch !== 'done' && meter.seen.length === 0 ? refuteMeter(meter, event) : meter;
    case 'davit.endpoint.discovered':
      return event.data.outcome === 'present' ? running(meter, event) : meter;
    case 'davit.endpoint.observed': {
      const { phase, price } = event.data;
      if (phase === 'unknown') return meter;
      const present = running(meter, event);
      return sighted(price ? changeRate(present, event, price, null) : present, event);
    }
    case 'davit.endpoint.absence-observed':
      return meter && sighted(meter, event);
    case 'davit.endpoint.absence-confirmed':
      return meter && (meter.until === null ? endMeter(sighted(meter, event), event) : meter);
    default:
      return meter;
  }
}

function running(meter: Meter | null, event: RecordedEvent): Meter {
  if (!meter) return startMeter(event, null, null);
  return meter.until === null ? meter : reopenMeter(meter, event);
}
