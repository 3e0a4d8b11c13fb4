// Writes of one turn of the event loop, and all that come while a commit is under way, are committed together: the
// cost of a durable commit is shared by everybody who waits for one.

export interface Batch<Write> {
  /** Resolves when the write is committed. Two writes with a common key never share a commit. */
  add(write: Write): void
  /** Waits until nothing is queued or under way. */
  drain(): Promise<void>
}

const mostWrites = 500

export function createBatch<Write extends { readonly keys: readonly string[] }>(
  commit: (writes: readonly Write[]) => Promise<void>,
): Batch<Write> {
  let queue: Write[] = []
  let underWay: Promise<void> | undefined

  const run = async (): Promise<void> => {
    // A turn: whoever is about to write now gets the chance to come along.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (queue.length > 0) {
      const [taken, left] = withoutSharedKeys(queue)
      queue = left
      await commit(taken)
    }
    // In the same breath as the last look at the queue: a write that comes after it starts a new run.
    underWay = undefined
  }

  return {
    add(write) {
      queue.push(write)
      underWay ??= run()
    },
    async drain() {
      while (underWay !== undefined) await underWay
    },
  }
}

/** As many as may be committed together, in order; the rest keeps its order too. */
function withoutSharedKeys<Write extends { readonly keys: readonly string[] }>(
  queue: readonly Write[],
): [Write[], Write[]] {
  const seen = new Set<string>()
  const taken: Write[] = []
  const left: Write[] = []
  for (const write of queue) {
    const isFree = taken.length < mostWrites && !write.keys.some((key) => seen.has(key))
    if (isFree) taken.push(write)
    else left.push(write)
    for (const key of write.keys) seen.add(key)
  }
  return [taken, left]
}
