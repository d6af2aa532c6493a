import type { EventLog } from '@davit/event-log';
import type { ReadModel } from '@davit/projection';
import type { Principal } from './principal.js';

/** A question, with who asks it. */
export interface Asking {
  readonly principal: Principal;
  /**
   * What the answer is made from. Each call takes a new look.
   * @throws ProblemError where `?at=` names no moment of this log
   */
  view(): Promise<View>;
  /**
   * The same as of another moment, a position or a time that the field of the request names.
   * @throws ProblemError where it is no moment of this log
   */
  at(moment: string, field: string): Promise<View>;
  /** The same as of where a span begins, which may be before the first event: there was nothing then. */
  beginning(moment: string, field: string): Promise<View>;
  /** The same as of the last event that is in the log, with the clock of now. */
  latest(): Promise<View>;
}

/** The log as far as a view reaches. */
export type ViewedLog = Pick<EventLog, 'read' | 'readStream' | 'head'>;

/** What there is to see for one question: documents, log and clock of one moment. */
export interface View {
  /** Documents of the principal's tenants alone. */
  readonly model: ReadModel;
  /** Events that the principal may see, up to the moment. */
  readonly log: ViewedLog;
  /** Position of the log that the documents stand for. */
  readonly position: number;
  /** The time of the moment: now, where nothing else was asked for. */
  readonly nowMs: number;
}
