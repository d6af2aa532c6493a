import { lifecycleProjection } from '@davit/domain';
import type { Clock } from '@davit/ports';
import { AbandonedError, Moments, type ReadModel } from '@davit/projection';
import { ProblemError } from '@davit/service-kit';
import type { Asking, View, ViewedLog } from './asking.js';
import { type Instant, Instants } from './instants.js';
import { logUpTo } from './log-upto.js';
import type { Principal } from './principal.js';
import { sightOf } from './sight.js';
import { tenantLog } from './tenant-log.js';
import { tenantModel } from './tenant-model.js';

export interface ViewPorts {
  readonly log: ViewedLog;
  readonly model: ReadModel;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** What a request says of the answer that it wants. */
export interface Wanted {
  /** Position or time: the answer is as it was then. */
  readonly at?: string | undefined;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** Makes what questions are answered from. Nothing else of the front door reads the log or the model for an answer. */
export class Views {
  private readonly moments: Moments;
  private readonly instants: Instants;

  constructor(private readonly ports: ViewPorts) {
    const { log } = ports;
    this.moments = new Moments({ definition: lifecycleProjection, log });
    this.instants = new Instants(log);
  }

  asking(principal: Principal, { at, signal }: Wanted = {}): Asking {
    const nowMs = (): number => this.ports.clock.nowMs();
    const past = async (text: string, field: string): Promise<View> =>
      this.past(principal, await this.instants.of(text, field, nowMs()), signal);
    return {
      principal,
      view: () => (at === undefined ? this.live(principal) : past(at, '?at')),
      at: past,
      beginning: async (text, field) =>
        this.past(principal, await this.instants.beginning(text, field, nowMs()), signal),
      latest: async () => this.past(principal, { position: await this.ports.log.head(), nowMs: nowMs() }, signal),
    };
  }

  private async live(principal: Principal): Promise<View> {
    const { log, model, clock } = this.ports;
    return seenBy(principal, { model, log, position: await model.position(), nowMs: clock.nowMs() });
  }

  private async past(principal: Principal, { position, nowMs }: Instant, signal?: AbortSignal): Promise<View> {
    const log = logUpTo(this.ports.log, position);
    try {
      return await seenBy(principal, { model: await this.moments.at(position, signal), log, position, nowMs });
    } catch (error) {
      if (!(error instanceof AbandonedError)) throw error;
      throw new ProblemError(503, 'abandoned', 'The question was given up', error.message);
    }
  }
}

/** The same for whoever asks: what they may see is told by the documents of the moment. */
async function seenBy(principal: Principal, { model, log, ...when }: View): Promise<View> {
  return { ...when, model: tenantModel(model, principal), log: tenantLog(log, await sightOf(model, principal)) };
}
