import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A value that is used at the last hop and nowhere else: as JSON, as text and when inspected it is hidden (law 13). */
export class Secret<Value> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  reveal(): Value {
    return this.#value;
  }

  toJSON(): string {
    return HIDDEN;
  }

  toString(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
