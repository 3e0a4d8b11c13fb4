// Some at a time: a small server breaks down when everything is asked of it at once.

/** The results in order. What fails ends all of it. */
export async function inTurns<T, R>(
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
