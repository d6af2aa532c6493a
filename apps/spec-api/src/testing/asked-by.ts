import type { EventLog } from '@davit/event-log';
import { type Clock, systemClock } from '@davit/ports';
import type { ReadModel } from '@davit/projection';
import type { Asking } from '../asking/asking.js';
import { LOCAL_PRINCIPAL, type Principal } from '../asking/principal.js';
import { Views } from '../asking/views.js';
import { foldedModel } from './folded-model.js';

/** A question as the decorator `Asked` hands it to a handler; of whoever asks without saying who they are where nothing is said. */
export function askedBy(
  log: EventLog,
  {
    principal = LOCAL_PRINCIPAL,
    model = foldedModel(log),
    clock = systemClock,
    at,
  }: {
    readonly principal?: Principal;
    readonly model?: ReadModel;
    readonly clock?: Pick<Clock, 'nowMs'>;
    readonly at?: string;
  } = {},
): Asking {
  return new Views({ log, model, clock }).asking(principal, { at });
}
