// Groups writes, so that they share the cost of one durable commit: the writes of one turn of the event loop, or of a
// few turns while each brings more. Writes that arrive during a commit share the next one.

export interface Batch<Write> {
  /** Queues a write. Two writes with a common key never share a commit. */
  add(write: Write): void
  /** Waits until nothing is queued or being committed. */
  drain(): Promise<void>
}

const mostWrites = 500
/** The most extra turns that a commit of several writes waits. */
const mostTurns = 4

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createBatch<Write extends { readonly keys: readonly string[] }>(
  commit: (writes: readonly Write[]) => Promise<void>,
): Batch<Write> {
  let queue: Write[] = []
  let runningCommit: Promise<void> | undefined

  const run = async (): Promise<void> => {
    // Waits for one turn, so that other writes of the same turn join the commit. When there are several writers, it
    // waits for as long as each turn brings another write: requests over a network arrive one after another.
    await nextTurn()
    for (let [turnCount, queueLength] = [0, 1]; turnCount < mostTurns && queue.length > queueLength; turnCount++) {
      queueLength = queue.length
      await nextTurn()
    }
    while (queue.length > 0) {
      const [accepted, remaining] = withoutSharedKeys(queue)
      queue = remaining
      await commit(accepted)
    }
    // Set synchronously after the last check of the queue, so that a later write starts a new run.
    runningCommit = undefined
  }

  return {
    add(write) {
      queue.push(write)
      runningCommit ??= run()
    },
    async drain() {
      while (runningCommit !== undefined) await runningCommit
    },
  }
}

/** Splits the queue into the writes that may share a commit and the remaining writes. Both keep their order. */
function withoutSharedKeys<Write extends { readonly keys: readonly string[] }>(
  queue: readonly Write[],
): [Write[], Write[]] {
  const usedKeys = new Set<string>()
  const accepted: Write[] = []
  const remaining: Write[] = []
  for (const write of queue) {
    const isFree = accepted.length < mostWrites && !write.keys.some((key) => usedKeys.has(key))
    if (isFree) accepted.push(write)
    else remaining.push(write)
    for (const key of write.keys) usedKeys.add(key)
  }
  return [accepted, remaining]
}
