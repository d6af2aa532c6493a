/** Lets `width` tasks run at once, first come, first served. A task may go on to hold its slot after its result is there. */
export class Slots {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly width: number) {}

  async run<Value>(task: () => Promise<Value>, holdOn?: (value: Value) => Promise<void>): Promise<Value> {
    if (this.running < this.width) this.running += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let held: Promise<void> | undefined;
    try {
      const value = await task();
      held = holdOn?.(value);
      return value;
    } finally {
      if (held === undefined) this.leave();
      else
        void held.then(
          () => this.leave(),
          () => this.leave(),
        );
    }
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}

/** Slots by name, made when first asked for. */
export class SlotsByName {
  private readonly slots = new Map<string, Slots>();

  constructor(private readonly widthOf: (name: string) => number) {}

  of(name: string): Slots {
    const known = this.slots.get(name) ?? new Slots(this.widthOf(name));
    this.slots.set(name, known);
    return known;
  }
}
