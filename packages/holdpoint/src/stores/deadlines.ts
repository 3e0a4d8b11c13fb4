// A min-heap of deadlines. Entries are never removed early: the code that pops one checks whether it is still valid.

export interface Deadline {
  readonly at: number
  readonly id: string
}

export interface Deadlines {
  push(deadline: Deadline): void
  peek(): Deadline | undefined
  pop(): Deadline | undefined
}

export function createDeadlines(): Deadlines {
  const heap: Deadline[] = []
  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY
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
        if (at(parent) <= at(index)) break
        swap(parent, index)
        index = parent
      }
    },
    peek: () => heap[0],
    pop() {
      const first = heap[0]
      const last = heap.pop()
      if (heap.length > 0 && last !== undefined) {
        heap[0] = last
        for (let index = 0; ; ) {
          const left = 2 * index + 1
          const smaller = at(left) <= at(left + 1) ? left : left + 1
          if (at(index) <= at(smaller)) break
          swap(index, smaller)
          index = smaller
        }
      }
      return first
    },
  }
}
