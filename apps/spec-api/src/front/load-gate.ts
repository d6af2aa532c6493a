/** Reads are shed before intents: what was asked to be done is worth more than one more look. */
export type LoadClass = 'read' | 'intent';

export interface LoadLimits {
  /** Requests of each class in work at once. */
  readonly maxReads: number;
  readonly maxIntents: number;
  /** How late the event loop may be before reads are shed. */
  readonly maxLoopDelayMs: number;
}

export type Admission =
  { readonly admitted: true; readonly leave: () => void } | { readonly admitted: false; readonly why: string };

/** By so much later than for reads the event loop may be before intents are shed, too. */
const INTENT_PATIENCE = 4;

/** Decides at the door whether there is room for a request: one that is turned away at once costs less than one that waits in vain. */
export class LoadGate {
  private readonly inWork: Record<LoadClass, number> = { read: 0, intent: 0 };

  constructor(
    private readonly limits: LoadLimits,
    private readonly loopDelayMs: () => number,
  ) {}

  /** Call `leave` once, when the request is over. */
  admit(kind: LoadClass): Admission {
    const { maxReads, maxIntents, maxLoopDelayMs } = this.limits;
    const most = kind === 'read' ? maxReads : maxIntents;
    if (this.inWork[kind] >= most)
      return { admitted: false, why: `${most} ${kind}s are in work, and no more are taken` };
    const late = this.loopDelayMs();
    if (late > maxLoopDelayMs * (kind === 'read' ? 1 : INTENT_PATIENCE))
      return { admitted: false, why: `the service is ${Math.round(late)} ms behind` };
    this.inWork[kind] += 1;
    let over = false;
    return {
      admitted: true,
      leave: () => {
        if (!over) this.inWork[kind] -= 1;
        over = true;
      },
    };
  }
}
