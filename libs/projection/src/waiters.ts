interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Promises that settle when a position is reached, in the order they were made. */
export class PositionWaiters {
  private waiting: Waiter[] = [];

  wait(position: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ position, resolve, reject });
    });
  }

  reached(position: number): void {
    const due = this.waiting.filter((waiter) => waiter.position <= position);
    if (due.length === 0) return;
    this.waiting = this.waiting.filter((waiter) => waiter.position > position);
    for (const waiter of due) waiter.resolve();
  }

  rejectAll(errorFor: (position: number) => Error): void {
    const all = this.waiting;
    this.waiting = [];
    for (const waiter of all) waiter.reject(errorFor(waiter.position));
  }
}
