/** One piece of work at a time for each key, in the order of asking; different keys do not wait for one another. */
export class KeyedTurns {
  private readonly last = new Map<string, Promise<void>>();

  constructor(
    /** Called when nobody works on a key and nobody waits to. */
    private readonly onRest: (key: string) => void,
  ) {}

  async take<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.last.get(key);
    let end: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (end = resolve));
    this.last.set(key, mine);
    await before;
    try {
      return await work();
    } finally {
      if (this.last.get(key) === mine) {
        this.last.delete(key);
        this.onRest(key);
      }
      end();
    }
  }
}
