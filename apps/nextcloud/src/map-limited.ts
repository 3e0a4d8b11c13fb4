// Limits concurrent requests: a small server fails when it gets all of them at once.

/** Runs `action` on all items, at most `maxParallel` at a time. Returns results in order; the first failure rejects. */
export async function mapLimited<T, R>(
  items: readonly T[],
  action: (item: T) => Promise<R>,
  maxParallel = 6,
): Promise<readonly R[]> {
  const results: R[] = []
  let nextIndex = 0
  const runWorker = async (): Promise<void> => {
    for (let index = nextIndex++; index < items.length; index = nextIndex++)
      results[index] = await action(items[index] as T)
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, runWorker))
  return results
}
