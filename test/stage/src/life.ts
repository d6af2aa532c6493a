import type { Clock } from '@davit/ports';

/**
 * One life of a service instance. After `end()` nothing it was waiting for ever comes back, as for a process that was killed:
 * its promises stay open for ever, and what it calls later goes nowhere. What a call had already done stays done.
 * Between `pause()` and `resume()` it stands still, as a process that was stopped: answers and timers wait for it.
 */
export class Life {
  private ended = false;
  private standstill: Standstill | undefined;

  end(): void {
    this.ended = true;
  }

  isOver(): boolean {
    return this.ended;
  }

  pause(): void {
    this.standstill ??= newStandstill();
  }

  /** What waited goes on, timers that fell due meanwhile first, in their order. */
  resume(): void {
    const ended = this.standstill;
    this.standstill = undefined;
    for (const callback of ended?.timers ?? []) this.run(callback);
    ended?.end();
  }

  /** Runs a timer's callback unless this life is over; later if it stands still. */
  run(callback: () => void): void {
    if (this.isOver()) return;
    if (this.standstill) this.standstill.timers.push(callback);
    else callback();
  }

  /** Resolves once this life moves. */
  async moving(): Promise<void> {
    while (this.standstill) await this.standstill.over;
  }

  /** Runs `call` if this life goes on, and hands its result over only if it still goes on then. */
  async guard<Value>(call: () => Promise<Value>): Promise<Value> {
    if (this.standstill) await this.moving();
    if (this.isOver()) return never();
    try {
      const value = await call();
      if (this.standstill) await this.moving();
      return this.isOver() ? await never<Value>() : value;
    } catch (error) {
      if (this.standstill) await this.moving();
      if (this.isOver()) return never();
      throw error;
    }
  }

  /** The same object with every method guarded; all methods must return promises. */
  wrap<Port extends object>(port: Port, around: Around = (_, call) => call()): Port {
    const guarded: Record<string, unknown> = {};
    for (const name of methodsOf(port)) {
      const method: unknown = Reflect.get(port, name);
      if (typeof method !== 'function') continue;
      guarded[name] = (...args: unknown[]): Promise<unknown> =>
        // A port's methods return promises by contract.
        this.guard(() => around(name, () => Reflect.apply(method, port, args) as Promise<unknown>));
    }
    return guarded as Port; // it has all the methods that the port has, and ports have nothing else
  }
}

/** A clock that ends with a life: what falls due later is not done. */
export const mortalClock = (clock: Clock, life: Life, errorMs: () => number = () => 0): Clock => ({
  nowMs: () => clock.nowMs() + errorMs(),
  monotonicMs: () => clock.monotonicMs(),
  schedule: (delayMs, callback) => {
    let cancelled = false;
    const cancel = clock.schedule(delayMs, () =>
      life.run(() => {
        if (!cancelled) callback();
      }),
    );
    return () => {
      cancelled = true;
      cancel();
    };
  },
});

/** What happens around each call of a port: it may come later, or its answer. */
export type Around = <Value>(name: string, call: () => Promise<Value>) => Promise<Value>;

function methodsOf(port: object): readonly string[] {
  const names = new Set<string>();
  for (let level: object | null = port; level && level !== Object.prototype; level = Reflect.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  }
  names.delete('constructor');
  return [...names];
}

interface Standstill {
  readonly timers: (() => void)[];
  readonly over: Promise<void>;
  readonly end: () => void;
}

function newStandstill(): Standstill {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  return { timers: [], over, end };
}

const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);
