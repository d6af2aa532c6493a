/** A look at something that many ask for at once. */
interface Flight<Value> {
  readonly startedMs: number;
  readonly value: Promise<Value>;
}

/**
 * Lets any number of askers share one look: whoever accepts an age gets the last or the running one, and those who need a
 * newer one share the next. At most one look runs at a time.
 */
export class SharedLook<Value> {
  private last: Flight<Value> | undefined;
  private running: Flight<Value> | undefined;
  private next: Promise<Value> | undefined;

  constructor(
    private readonly nowMs: () => number,
    private readonly look: () => Promise<Value>,
    /** Whether a result may be given to later askers; a failure is better asked for again. */
    private readonly keeps: (value: Value) => boolean = () => true,
  ) {}

  /** A look that began at most `maxAgeMs` ago; 0 means: not before now. */
  get(maxAgeMs: number): Promise<Value> {
    const oldestMs = this.nowMs() - maxAgeMs;
    const young = [this.last, this.running].find(
      (flight) => flight !== undefined && maxAgeMs > 0 && flight.startedMs >= oldestMs,
    );
    if (young) return young.value;
    if (this.next) return this.next;
    if (!this.running) return this.start();
    this.next = this.after(this.running.value);
    return this.next;
  }

  private async after(running: Promise<Value>): Promise<Value> {
    await running.then(
      () => undefined,
      () => undefined,
    );
    return this.startNext();
  }

  private startNext(): Promise<Value> {
    this.next = undefined;
    return this.start();
  }

  private start(): Promise<Value> {
    const flight: Flight<Value> = { startedMs: this.nowMs(), value: this.look() };
    this.running = flight;
    const finish = (kept: boolean): void => {
      if (this.running === flight) this.running = undefined;
      this.last = kept ? flight : undefined;
    };
    flight.value.then(
      (value) => finish(this.keeps(value)),
      () => finish(false),
    );
    return flight.value;
  }
}
