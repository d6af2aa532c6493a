/** A callback that waits for its instant. */
export interface Alarm {
  readonly dueMs: number;
  /** Tells alarms of one instant apart. */
  readonly order: number;
  readonly callback: () => void;
  cancelled: boolean;
}

/** Alarms by instant, then by order; a binary heap, so that thousands of waits cost little each. */
export class AlarmHeap {
  private readonly alarms: Alarm[] = [];

  push(alarm: Alarm): void {
    const { alarms } = this;
    let index = alarms.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = alarms[parentIndex];
      if (!parent || !isBefore(alarm, parent)) break;
      alarms[index] = parent;
      index = parentIndex;
    }
    alarms[index] = alarm;
  }

  /** The first alarm that was not cancelled; it stays. */
  first(): Alarm | undefined {
    let [first] = this.alarms;
    while (first?.cancelled) {
      this.pop();
      [first] = this.alarms;
    }
    return first;
  }

  pop(): void {
    const { alarms } = this;
    const last = alarms.pop();
    if (last && alarms.length > 0) this.sink(last);
  }

  private sink(alarm: Alarm): void {
    const { alarms } = this;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      let child = alarms[childIndex];
      const sibling = alarms[childIndex + 1];
      if (child && sibling && isBefore(sibling, child)) {
        child = sibling;
        childIndex += 1;
      }
      if (!child || !isBefore(child, alarm)) break;
      alarms[index] = child;
      index = childIndex;
    }
    alarms[index] = alarm;
  }
}

const isBefore = (left: Alarm, right: Alarm): boolean =>
  left.dueMs < right.dueMs || (left.dueMs === right.dueMs && left.order < right.order);
