/** The world's own notion of time: the whole model waits only through this, so it runs on real or on virtual time. */
export interface WorldClock {
  nowMs(): number;
  /** Runs `callback` once after `delayMs`, never synchronously; the result cancels it. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Uniform numbers in [0, 1). */
export interface WorldRandom {
  next(): number;
}

export const realClock: WorldClock = {
  nowMs: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs` of the clock, or at once when `signal` aborts; it never rejects. */
export function pause(clock: WorldClock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (delayMs <= 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.schedule(delayMs, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** A repeatable generator (xorshift32); not for secrets. */
export function seeded(seed: number): WorldRandom {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return {
    next() {
      state ^= state << 13;
      state >>>= 0;
      state ^= state >>> 17;
      state ^= state << 5;
      state >>>= 0;
      return state / 4_294_967_296;
    },
  };
}

/** `length` random lower-case hexadecimal digits. */
export function randomHex(random: WorldRandom, length: number): string {
  let text = '';
  while (text.length < length) text += Math.floor(random.next() * 16).toString(16);
  return text;
}

/** A random identifier in the shape of a version 4 UUID. */
export function randomUuid(random: WorldRandom): string {
  const hex = randomHex(random, 32);
  const variant = '89ab'.charAt(Math.floor(random.next() * 4));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
