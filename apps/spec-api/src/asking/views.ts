import type { Clock } from '@davit/ports';
import type { Asking, View } from './asking.js';
import type { Principal } from './principal.js';
import { sightOf } from './sight.js';
import { tenantLog } from './tenant-log.js';
import { tenantModel } from './tenant-model.js';

export interface ViewPorts {
  readonly log: View['log'];
  readonly model: View['model'];
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Makes what questions are answered from. Nothing else of the front door reads the log or the model for an answer. */
export class Views {
  constructor(private readonly ports: ViewPorts) {}

  asking(principal: Principal): Asking {
    return { principal, view: () => this.live(principal) };
  }

  private async live(principal: Principal): Promise<View> {
    const { log, model, clock } = this.ports;
    return {
      model: tenantModel(model, principal),
      log: tenantLog(log, await sightOf(model, principal)),
      position: await model.position(),
      nowMs: clock.nowMs(),
    };
  }
}
