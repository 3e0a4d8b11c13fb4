// A min-heap of deadlines. Entries are never removed early: the code that pops one checks whether it is still valid.

export interface Deadline {
  readonly time: number
  readonly id: string
}

export interface Deadlines {
  push(deadline: Deadline): void
  peek(): Deadline | undefined
  pop(): Deadline | undefined
}

export function createDeadlines(): Deadlines {
  const heap: Deadline[] = []
  const timeAt = (index: number): number => heap[index]?.time ?? Number.POSITIVE_INFINITY
  const swap = (a: number, b: number): void => {
    const swapped = heap[a] as Deadline
    heap[a] = heap[b] as Deadline
    heap[b] = swapped
  }
  return {
    push(deadline) {
      let index = heap.push(deadline) - 1
      while (index > 0) {
        const parent = (index - 1) >> 1
        if (timeAt(parent) <= timeAt(index)) break
        swap(parent, index)
        index = parent
      }
    },
    peek: () => heap[0],
    pop() {
      const nextDeadline = heap[0]
      const lastDeadline = heap.pop()
      if (heap.length > 0 && lastDeadline !== undefined) {
        heap[0] = lastDeadline
        for (let index = 0; ; ) {
          const leftIndex = 2 * index + 1
          const smallerIndex = timeAt(leftIndex) <= timeAt(leftIndex + 1) ? leftIndex : leftIndex + 1
          if (timeAt(index) <= timeAt(smallerIndex)) break
          swap(index, smallerIndex)
          index = smallerIndex
        }
      }
      return nextDeadline
    },
  }
}
