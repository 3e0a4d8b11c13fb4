// Limits concurrent requests: a small server fails when it gets all of them at once.

/** Runs `act` on all items, at most `atOnce` at a time. Returns the results in order; the first failure rejects. */
export async function mapLimited<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  atOnce = 6,
): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await act(items[index] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return results
}
