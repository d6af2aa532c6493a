/** What several sources yield, as it comes. A fault of one is a fault of the whole; the others end by what ends them. */
export async function* merge<Item>(sources: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item> {
  const step = async (
    source: AsyncGenerator<Item>,
  ): Promise<{ source: typeof source; result: IteratorResult<Item> }> => ({
    source,
    result: await source.next(),
  });
  const pending = new Map(sources.map((source) => [source, step(source)]));
  while (pending.size > 0) {
    const { source, result } = await Promise.race(pending.values());
    if (result.done === true) pending.delete(source);
    else {
      pending.set(source, step(source));
      yield result.value;
    }
  }
}
