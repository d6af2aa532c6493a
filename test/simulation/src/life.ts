/**
 * One life of a service instance. After `end()` nothing it was waiting for ever comes back, as for a process that was killed:
 * its promises stay open for ever, and what it calls later goes nowhere. What a call had already done stays done.
 */
export class Life {
  private ended = false;

  end(): void {
    this.ended = true;
  }

  isOver(): boolean {
    return this.ended;
  }

  /** Runs `call` if this life goes on, and hands its result over only if it still goes on then. */
  async guard<Value>(call: () => Promise<Value>): Promise<Value> {
    if (this.isOver()) return never();
    let value: Value;
    try {
      value = await call();
    } catch (error) {
      if (this.isOver()) return never();
      throw error;
    }
    return this.isOver() ? never() : value;
  }

  /** The same object with every method guarded; all methods must return promises. */
  wrap<Port extends object>(
    port: Port,
    around: <Value>(name: string, call: () => Promise<Value>) => Promise<Value> = (_, call) => call(),
  ): Port {
    return new Proxy(port, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          // A port's methods return promises by contract.
          this.guard(() => around(String(property), () => Reflect.apply(member, target, args) as Promise<unknown>));
      },
    });
  }
}

const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);
