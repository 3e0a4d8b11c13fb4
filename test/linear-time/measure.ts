// Measures whether the time of a function grows faster than its text. Uses the shortest of several runs and ratios, so
// that a busy machine does not matter.

import type { Shape } from "./shapes.ts"

/** A size in characters, and its time in milliseconds. */
interface Measured {
  readonly size: number
  readonly ms: number
}

/** Below this time, the growth of a function does not matter: collecting garbage alone can take as long. */
const floorMs = (size: number): number => Math.max(40, size / 1_500)

/** Linear time grows fourfold with a text of four times the length. Above this ratio, it is not linear. */
const mostRatio = 8

/** The size of the screening, which a function of quadratic time does not pass, and would not end at greater ones. */
export const screeningSize = 20_000

/**
 * Returns the times that show that the function takes more than linear time for texts of this shape, or undefined. The
 * greatest size is four times `size`.
 */
export function excess(call: (text: string) => unknown, shape: Shape, size: number): string | undefined {
  for (const each of size > screeningSize ? [screeningSize, 80_000, size] : [screeningSize]) {
    const larger = timeOf(call, shape, each)
    if (larger.ms < floorMs(each)) continue
    // The first slow run may be a pause of the machine: only the shortest of several counts.
    const shortest = shortestOf(call, shape, each)
    if (shortest.ms < floorMs(each)) continue
    const smaller = shortestOf(call, shape, each / 4)
    if (shortest.ms / Math.max(smaller.ms, 0.05) > mostRatio) return `${words(smaller)}, ${words(shortest)}`
    if (each < size) continue
    const largest = shortestOf(call, shape, each * 4)
    if (largest.ms / shortest.ms > mostRatio) return `${words(shortest)}, ${words(largest)}`
  }
  return undefined
}

function shortestOf(call: (text: string) => unknown, shape: Shape, size: number): Measured {
  const first = timeOf(call, shape, size)
  // A run of a second is long enough to be measured once more only.
  const runs = Array.from({ length: first.ms > 1_000 ? 1 : 4 }, () => timeOf(call, shape, size))
  return [first, ...runs].reduce((one, other) => (other.ms < one.ms ? other : one))
}

function timeOf(call: (text: string) => unknown, { make }: Shape, size: number): Measured {
  const text = make(size)
  // Flattens the text, which is otherwise done in the measured time.
  text.charCodeAt(size >> 1)
  const startedAt = process.cpuUsage()
  try {
    call(text)
  } catch {
    // A refusal counts as an answer.
  }
  const { user, system } = process.cpuUsage(startedAt)
  return { size, ms: (user + system) / 1_000 }
}

const words = ({ size, ms }: Measured): string => `${Math.round(ms)} ms for ${size.toLocaleString("en")} characters`
