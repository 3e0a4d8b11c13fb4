// Merges several generators: values are yielded in the order in which they arrive. Each source is read one value at a
// time, so that a slow reader slows down all of them.

/** Ends when all sources have ended, or rejects with the first error of one. Does not end the sources. */
export async function* merge<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const queue: Arrival<T>[] = []
  let open = sources.length
  let wake: () => void = () => {}
  const enqueue = (arrival: Arrival<T>): void => {
    queue.push(arrival)
    wake()
  }
  const pull = (source: AsyncGenerator<T>): void =>
    void source.next().then(
      (result) => enqueue({ source, result }),
      (error: unknown) => enqueue({ error }),
    )
  for (const source of sources) pull(source)
  while (open > 0) {
    const first = queue.shift()
    if (first === undefined) {
      await new Promise<void>((resolve) => (wake = resolve))
      continue
    }
    if ("error" in first) throw first.error
    if (first.result.done === true) {
      open -= 1
      continue
    }
    yield first.result.value
    pull(first.source)
  }
}

type Arrival<T> =
  | { readonly source: AsyncGenerator<T>; readonly result: IteratorResult<T> }
  | { readonly error: unknown }
