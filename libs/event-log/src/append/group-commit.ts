export interface GroupLimits {
  readonly maxItems: number;
  readonly maxWeight: number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly weight: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent callers share one commit. One group is under way at a time; whoever comes meanwhile forms the next,
 * in order of arrival. A lone caller waits for nobody.
 */
export class GroupCommit<Item, Answer> {
  private readonly queue: Waiting<Item, Answer>[] = [];
  private running = false;

  constructor(
    /** Commits a group and answers for each item in order, or rejects for all. */
    private readonly commit: (items: readonly Item[]) => Promise<readonly Answer[]>,
    private readonly limits: GroupLimits,
    /** True when a failed group is known to have left nothing behind, so that its items may be tried one by one. */
    private readonly leftNothing: (error: unknown) => boolean,
  ) {}

  submit(item: Item, weight: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, weight, resolve, reject });
      if (this.running) return;
      this.running = true;
      // One microtask later, so that callers of the same moment travel together.
      queueMicrotask(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) await this.settle(this.takeGroup());
    this.running = false;
  }

  private takeGroup(): Waiting<Item, Answer>[] {
    let count = 0;
    let weight = 0;
    for (const waiting of this.queue) {
      weight += waiting.weight;
      if (count > 0 && (count >= this.limits.maxItems || weight > this.limits.maxWeight)) break;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  /** Never rejects: each waiting caller gets its own answer or fault. */
  private async settle(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.commit(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const answer = answers[index];
        if (answer === undefined)
          reject(new Error(`the commit gave ${answers.length} answers for ${group.length} items`));
        else resolve(answer);
      }
    } catch (error) {
      if (group.length > 1 && this.leftNothing(error)) {
        // One item poisons the whole transaction; alone, only the poisonous one fails.
        for (const waiting of group) await this.settle([waiting]);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}
