// Runs variants in turns, and computes statistics. Independent of what is measured.

export type Variants = Readonly<Record<string, () => Promise<number>>>

/**
 * Runs each variant once per round, starting with a different one each time: a slow moment of the machine slows all of
 * them, and the comparison within a round stays fair.
 */
export async function interleave<V extends Variants>(
  variants: V,
  rounds: number,
  progress: (round: number) => void,
): Promise<Readonly<Record<keyof V, readonly number[]>>> {
  const names = Object.keys(variants)
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    progress(round + 1)
    for (let offset = 0; offset < names.length; offset++) {
      const name = names[(round + offset) % names.length] as string
      values[name]?.push(await (variants[name] as () => Promise<number>)())
    }
  }
  return values as Record<keyof V, number[]>
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Interpolates between two values. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error("A percentile needs at least one value.")
  const sorted = values.toSorted((a, b) => a - b)
  const rank = ((sorted.length - 1) * percent) / 100
  const below = sorted[Math.floor(rank)] as number
  const above = sorted[Math.ceil(rank)] as number
  return below + (above - below) * (rank - Math.floor(rank))
}

/** The median of the ratios, computed round by round. */
export function medianRatio(values: readonly number[], baselines: readonly number[]): number {
  return median(values.map((value, round) => value / (baselines[round] as number)))
}

/** Milliseconds on a clock that all processes of a machine share; their wall clocks can differ. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** How often `work` finishes per second, with this many workers that repeat it until the time is over. */
export async function ratePerSecond(
  work: (worker: number) => Promise<void>,
  options: { readonly concurrency: number; readonly ms: number },
): Promise<number> {
  const start = performance.now()
  let count = 0
  const run = async (worker: number): Promise<void> => {
    while (performance.now() - start < options.ms) {
      await work(worker)
      count++
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, (_, worker) => run(worker)))
  return count / ((performance.now() - start) / 1_000)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
