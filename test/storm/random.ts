// Random choices that all come from one seed. Each actor has a generator of its own, so that what one does next does not
// depend on how fast the others are.

export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number
  chance(probability: number): boolean
  /** A whole number of this range, both ends included. */
  between(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** A generator of its own for the actor of this name. */
  fork(name: string): Random
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (list) => {
      if (list.length === 0) throw new Error("There is nothing to pick from.")
      return list[between(0, list.length - 1)] as (typeof list)[number]
    },
    fork: (name) =>
      createRandom([...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), seed)),
  }
}
