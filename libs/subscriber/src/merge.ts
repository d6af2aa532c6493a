type Step<Item> =
  { readonly source: AsyncGenerator<Item>; readonly result: IteratorResult<Item> } | { readonly fault: unknown };

/**
 * What several sources yield, as it comes. Each is asked for one item ahead of the reader, no more. A fault of one is a fault of the
 * whole; the others end by what ends them.
 */
export async function* merge<Item>(sources: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item> {
  const steps: Step<Item>[] = [];
  let wake: () => void = () => undefined;
  // Not a race of promises: a source that rests would keep every race that it ever was in.
  const arrive = (step: Step<Item>): void => {
    steps.push(step);
    wake();
  };
  const ask = (source: AsyncGenerator<Item>): void => {
    source.next().then(
      (result) => arrive({ source, result }),
      (fault: unknown) => arrive({ fault }),
    );
  };
  sources.forEach(ask);
  for (let open = sources.length; open > 0;) {
    const step = steps.shift();
    if (!step) await new Promise<void>((resolve) => (wake = resolve));
    else if ('fault' in step) throw step.fault;
    else if (step.result.done === true) open -= 1;
    else {
      ask(step.source);
      yield step.result.value;
    }
  }
}
