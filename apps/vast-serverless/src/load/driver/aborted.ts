/** What a promise comes to, or undefined as soon as the signal aborts. Leaves no listener behind. */
export function unlessAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const give = (): void => resolve(undefined);
    signal.addEventListener('abort', give, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
