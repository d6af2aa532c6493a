import type { AppendResult, EventLog, Lease } from '@davit/event-log';
import type { Clock, Logger } from '@davit/ports';
import type { ReadModel } from '@davit/projection';
import type { ReconcileContext } from './controller.js';
import type { LeaseKeeper } from './lease-keeper.js';

/** What the appends of a pass came to; the loop draws the consequences, so that reconcilers can simply return. */
export interface PassRecord {
  /** Highest position written; 0 when nothing was. */
  wrote: number;
  /** An append met another writer or a lost lease: the pass saw the past. */
  conflict: boolean;
  fenced: boolean;
}

export interface PassParts {
  readonly service: string;
  readonly log: EventLog;
  readonly model: ReadModel;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keeper: LeaseKeeper;
}

export interface Pass {
  readonly key: string;
  readonly lease: Lease;
  readonly basedOnPosition: number;
  /** Of what it writes; the trace of the events that woke it. */
  readonly traceparent: string | undefined;
}

/** The context of one pass, noting in `record` what its appends came to. */
export function passContext(parts: PassParts, pass: Pass, record: PassRecord): ReconcileContext {
  const { key, lease, basedOnPosition, traceparent } = pass;
  const trace = traceparent === undefined ? {} : { traceparent };
  return {
    key,
    model: parts.model,
    logger: parts.logger,
    epoch: lease.epoch,
    nowMs: () => parts.keeper.storeNowMs(),
    async holdsLease() {
      const holds = await parts.keeper.holds(lease);
      if (!holds) noteLost(record);
      return holds;
    },
    async append(writes, options) {
      const { service, log } = parts;
      const { name, epoch } = lease;
      const result = await log.append(writes, {
        ...{ ...options, ...trace, service, basedOnPosition },
        lease: { name, epoch },
      });
      note(record, result);
      return result;
    },
  };
}

function noteLost(record: PassRecord): void {
  record.fenced = true;
  record.conflict = true;
}

function note(record: PassRecord, result: AppendResult): void {
  switch (result.outcome) {
    case 'appended':
    case 'duplicate':
      record.wrote = Math.max(record.wrote, ...result.events.map((event) => event.position));
      return;
    case 'fenced':
      noteLost(record);
      return;
    case 'wrong-version':
    case 'idempotency-conflict':
    case 'already-handled':
      record.conflict = true;
      return;
  }
}
