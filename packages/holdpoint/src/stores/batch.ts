// Commits together all writes of one turn of the event loop, of a few turns when each brings more, and all that arrive
// during a commit, so that they share the cost of one durable commit.

export interface Batch<Write> {
  /** Queues a write. Two writes with a common key never share a commit. */
  add(write: Write): void
  /** Waits until nothing is queued or being committed. */
  drain(): Promise<void>
}

const mostWrites = 500
/** How many more turns a commit of several writes waits at most. */
const mostTurns = 4

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createBatch<Write extends { readonly keys: readonly string[] }>(
  commit: (writes: readonly Write[]) => Promise<void>,
): Batch<Write> {
  let queue: Write[] = []
  let underWay: Promise<void> | undefined

  const run = async (): Promise<void> => {
    // Waits for one turn, so that other writes of the same turn join the commit. When there are several writers, it waits
    // for as long as each turn brings another write: requests over a network arrive one after another.
    await turn()
    for (let [turns, seen] = [0, 1]; turns < mostTurns && queue.length > seen; turns++) {
      seen = queue.length
      await turn()
    }
    while (queue.length > 0) {
      const [taken, left] = withoutSharedKeys(queue)
      queue = left
      await commit(taken)
    }
    // Set synchronously after the last check of the queue, so that a later write starts a new run.
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

/** Splits the queue into the writes that may be committed together and the rest. Both keep their order. */
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
