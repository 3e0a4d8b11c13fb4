// Counts the open streams of each person, so that one of them cannot use up the memory of a server.

/** The most streams that one person may have open in one process: many tabs share a stream, and programs need few. */
const mostPerPerson = 100

export interface StreamPlaces {
  isFull(person: string): boolean
  /** Takes a place. Returns a function that releases it. */
  take(person: string): () => void
}

export function createStreamPlaces(): StreamPlaces {
  const counts = new Map<string, number>()
  return {
    isFull: (person) => (counts.get(person) ?? 0) >= mostPerPerson,
    take(person) {
      counts.set(person, (counts.get(person) ?? 0) + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        const left = (counts.get(person) ?? 1) - 1
        if (left === 0) counts.delete(person)
        else counts.set(person, left)
      }
    },
  }
}
